internal import Glibc
internal import HoldfastCALSA
internal import HoldfastMediaModel

/// A capturing PCM's position, as its driver reports it.
struct PCMPosition: Hashable {
  enum Condition: Hashable {
    case running
    /// Stopped by an overrun or a suspend; it can be restarted.
    case interrupted
    case disconnected
  }

  var condition: Condition
  /// The frames that can be read now.
  var available: Int
  /// The age, in frames, of the next frame; more than `available` where a pipeline precedes the buffer.
  var delay: Int
  /// The time of the report on the driver's clock; 0 where it has none.
  var stamp: MonotonicTime
  /// The time of the call.
  var now: MonotonicTime

  /// The capture time of the next frame. Ignores a stamp from another clock, which is far from `now`.
  func captureTime(sampleRate: Int) -> MonotonicTime {
    let isOnOurClock = (stamp - now).nanoseconds.magnitude <= 1_000_000_000
    return (isOnOurClock ? stamp : now) - MediaTime(ticks: Int64(delay), timescale: sampleRate)
  }
}

/// Measures the loss of an overrun from the end of the last delivered block.
struct PCMTimeline: Hashable {
  private var end: MonotonicTime?
  private var isInterrupted = false

  /// Samples may be missing before the next block.
  mutating func interrupt() { isInterrupted = true }

  /// Appends a block and returns the loss right before it.
  mutating func append(at captureTime: MonotonicTime, duration: MediaTime) -> MediaTime {
    defer {
      end = captureTime + duration
      isInterrupted = false
    }
    guard isInterrupted, let end else { return .zero }
    return max(.zero, captureTime - end)
  }
}

/// A failed call of alsa-lib: the operation and its status as a positive errno.
struct PCMError: Error, Hashable, CustomStringConvertible {
  let operation: String
  let code: Int32

  /// Throws a negative status.
  @discardableResult
  static func check<Status: SignedInteger>(
    _ status: Status, _ operation: @autoclosure () -> String
  ) throws(PCMError) -> Status {
    guard status >= 0 else { throw PCMError(operation: operation(), code: Int32(-status)) }
    return status
  }

  /// The call did not return in time.
  static func timedOut(_ operation: String) -> PCMError { PCMError(operation: operation, code: ETIMEDOUT) }

  var reason: String {
    code == ETIMEDOUT ? "no answer from the sound system" : String(cString: snd_strerror(-code))
  }

  /// An overrun or a suspend; the stream may be restarted.
  var isInterruption: Bool { code == EPIPE || code == ESTRPIPE }

  var description: String { "\(operation): \(reason)" }
}
