import Glibc
import HoldfastCALSA
import HoldfastMediaModel

/// The position of a capture PCM, as its driver reports it.
struct PCMPosition: Hashable {
  enum Condition: Hashable {
    case running
    /// Stopped by an overrun or suspend; can be restarted.
    case interrupted
    case disconnected
  }

  var condition: Condition
  var available: Int
  /// The age of the next frame, in frames; more than `available` if a pipeline precedes the buffer.
  var delay: Int
  /// The driver's timestamp; 0 if there is none.
  var stamp: MonotonicTime
  var now: MonotonicTime

  /// The capture time of the next frame. Ignores a timestamp of another clock, over 1 s from `now`.
  func captureTime(sampleRate: Int) -> MonotonicTime {
    let isOnOurClock = (stamp - now).nanoseconds.magnitude <= 1_000_000_000
    return (isOnOurClock ? stamp : now) - MediaTime(ticks: Int64(delay), timescale: sampleRate)
  }
}

/// Measures the loss at an overrun, from the end of the previous block.
struct PCMTimeline: Hashable {
  private var end: MonotonicTime?
  private var isInterrupted = false

  mutating func interrupt() { isInterrupted = true }

  mutating func append(at captureTime: MonotonicTime, duration: MediaTime) -> MediaTime {
    defer {
      end = captureTime + duration
      isInterrupted = false
    }
    guard isInterrupted, let end else { return .zero }
    return max(.zero, captureTime - end)
  }
}

/// A failed call of alsa-lib, with a positive errno.
struct PCMError: Error, Hashable, CustomStringConvertible {
  let operation: String
  let code: Int32

  @discardableResult
  static func check<Status: SignedInteger>(
    _ status: Status, _ operation: @autoclosure () -> String
  ) throws(PCMError) -> Status {
    guard status >= 0 else { throw PCMError(operation: operation(), code: Int32(-status)) }
    return status
  }

  static func timedOut(_ operation: String) -> PCMError { PCMError(operation: operation, code: ETIMEDOUT) }

  var reason: String {
    code == ETIMEDOUT ? "no answer from the sound system" : String(cString: snd_strerror(-code))
  }

  /// Whether it was an overrun or suspend, after which the stream can restart.
  var isInterruption: Bool { code == EPIPE || code == ESTRPIPE }

  var description: String { "\(operation): \(reason)" }
}
