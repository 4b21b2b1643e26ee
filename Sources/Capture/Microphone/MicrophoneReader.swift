import Glibc
import HoldfastMediaModel
import HoldfastPlatform

/// Reads a capture PCM until it is lost: times blocks, restarts after overruns, detects stalls.
struct MicrophoneReader<Stream: PCMStream> {
  enum Loss: Error, Hashable, CustomStringConvertible {
    case disconnected, silent
    /// Repeated restarts yielded no samples.
    case restartsFailed
    case failed(PCMError)

    var description: String {
      switch self {
      case .disconnected: "it was unplugged"
      case .silent: "no sample for \(Int(MicrophoneReader.stallTimeout.seconds)) s"
      case .restartsFailed: "no sound after \(MicrophoneReader.maxFailedRestarts) restarts"
      case .failed(let error): error.code == ENODEV ? "it was unplugged" : error.description
      }
    }
  }

  let stream: Stream
  let format: AudioFormat
  private var timeline = PCMTimeline()
  private var failedRestarts = 0
  private var silentSince: MonotonicTime?

  static var stallTimeout: MediaTime { .seconds(1) }
  static var maxWait: MediaTime { .milliseconds(50) }
  static var maxFailedRestarts: Int { 10 }

  init(_ stream: Stream, format: AudioFormat) {
    self.stream = stream
    self.format = format
  }

  mutating func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(Loss) {
    try attempt(stream.restart())
    while !stop.isSignalled {
      let position = try attempt(stream.position())
      switch position.condition {
      case .running:
        guard try readAll(from: position, deliver) else {
          try restart()
          continue
        }
        // Short, as a stalled driver may hold less than the wake-up threshold.
        let deadline = min((silentSince ?? position.now) + Self.stallTimeout, position.now + Self.maxWait)
        try attempt(stream.wait(for: stop, until: deadline))
      case .interrupted:
        try restart()
      case .disconnected:
        throw .disconnected
      }
    }
  }

  /// Delivers the samples available at `position`; false if the stream is interrupted.
  private mutating func readAll(
    from position: PCMPosition, _ deliver: (AudioBlock) -> Void
  ) throws(Loss) -> Bool {
    let start = position.captureTime(sampleRate: format.sampleRate)
    let maxPerBlock = max(1, format.sampleRate / 50)
    var done = 0
    while done < position.available {
      let samples: [Float]
      do {
        samples = try stream.read(min(position.available - done, maxPerBlock))
      } catch {
        if error.isInterruption { return false }
        throw .failed(error)
      }
      if samples.isEmpty { break }
      let captureTime = start + format.duration(ofFrames: done)
      let frames = samples.count / format.channels
      let lost = timeline.append(at: captureTime, duration: format.duration(ofFrames: frames))
      deliver(AudioBlock(format: format, captureTime: captureTime, samples: samples, lostBefore: lost))
      done += frames
    }
    try notice(sound: done > 0, at: position.now)
    return true
  }

  private mutating func notice(sound: Bool, at now: MonotonicTime) throws(Loss) {
    guard !sound, let silentSince else {
      silentSince = now
      if sound { failedRestarts = 0 }
      return
    }
    if now - silentSince >= Self.stallTimeout { throw .silent }
  }

  private mutating func restart() throws(Loss) {
    guard failedRestarts < Self.maxFailedRestarts else { throw .restartsFailed }
    failedRestarts += 1
    silentSince = nil
    timeline.interrupt()
    try attempt(stream.restart())
  }

  @discardableResult
  private func attempt<Value>(_ call: @autoclosure () throws(PCMError) -> Value) throws(Loss) -> Value {
    do { return try call() } catch { throw .failed(error) }
  }
}
