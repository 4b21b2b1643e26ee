internal import Glibc
public import MediaModel
public import Platform

/// A microphone, through ALSA.
///
/// ALSA's calls are made by a thread of their own, and everything that is waited for has a limit: a sound server that
/// freezes gives no error, and a call into it may take half a minute or for ever.
public final class Microphone: AudioSource {
  public let format: AudioFormat
  public let hasOwnClock = true
  public let summary: String
  private let name: String
  private let reader: MicrophoneReader

  /// No sound for this long is a loss.
  private static let silenceLimit = MediaTime.seconds(1)
  private static let openingLimit = MediaTime.seconds(5)
  private static let closingLimit = MediaTime.milliseconds(500)

  /// Opens `name` and agrees with it on what comes nearest to `wanted`.
  public init(pcm name: String, wanted: AudioFormat) throws(CaptureError) {
    let reader = MicrophoneReader()
    let setup: PCM.Setup
    do {
      setup = try Self.open(reader, name, wanted)
    } catch {
      throw Self.openError(name, error)
    }
    let period = setup.format.duration(ofFrames: setup.periodFrames).milliseconds
    let resampled = setup.format == wanted ? "" : ", resampled to \(wanted)"
    summary = "\(name), \(setup.format)\(resampled), period \((period * 10).rounded() / 10) ms"
    format = setup.format
    self.name = name
    self.reader = reader
  }

  deinit {
    reader.stop()
  }

  /// The default device can be opened: a sound server is there.
  public static func defaultExists() -> Bool {
    let reader = MicrophoneReader()
    defer { close(reader) }
    return (try? open(reader, "default", AudioFormat(sampleRate: 48_000, channels: 2))) != nil
  }

  private static func open(
    _ reader: MicrophoneReader, _ name: String, _ wanted: AudioFormat
  ) throws(PCM.Failure) -> PCM.Setup {
    try reader.start(name, wanted)
    switch reader.events.take(until: .now + openingLimit) {
    case .opened(let setup): return setup
    case .failed(let failure): throw failure
    case .block, nil:
      reader.stop()
      throw PCM.Failure(operation: "open", code: ETIMEDOUT)
    }
  }

  public func run(until stop: StopSignal, deliver: (AudioBlock) -> Void) throws(CaptureError) {
    var limit = MonotonicTime.now + Self.silenceLimit
    while !stop.isSignalled {
      switch reader.events.take(until: min(limit, .now + .milliseconds(50))) {
      case .block(let block):
        limit = .now + Self.silenceLimit
        deliver(block)
      case .failed(let failure): throw lost("\(failure.operation): \(failure.reason)")
      case .opened: break
      case nil where .now >= limit:
        reader.stop()
        throw lost("no sound for 1 s")
      case nil: break
      }
    }
    Self.close(reader)
  }

  /// Closes the device, so that it can be opened again; one whose call does not come back is left to itself.
  private static func close(_ reader: MicrophoneReader) {
    reader.stop()
    let limit = MonotonicTime.now + closingLimit
    while !reader.events.isFinished, .now < limit { _ = reader.events.take(until: limit) }
  }

  private func lost(_ what: String) -> CaptureError {
    CaptureError(
      .lost, .audio, device: name, what: what, hint: "check that it is plugged in and its sound server runs")
  }

  private static func openError(_ name: String, _ failure: PCM.Failure) -> CaptureError {
    let (kind, what, hint): (CaptureError.Kind, String, String)
    switch failure.code {
    case ENOENT, ENODEV, ENXIO, ECONNREFUSED:
      (kind, what, hint) = (.notFound, "there is no such microphone", thereIs)
    case EBUSY, EAGAIN:
      (kind, what, hint) = (.busy, "somebody else uses it", "end the other program or choose another")
    case EACCES, EPERM:
      (kind, what, hint) = (.notPermitted, "we may not open it", "add the user to the group audio")
    case EINVAL:
      (kind, what, hint) = (.unsuitable, "it can't do \(failure.operation)", "try plug\(name) or another")
    default: (kind, what, hint) = (.lost, "\(failure.operation): \(failure.reason)", thereIs)
    }
    return CaptureError(kind, .audio, device: name, what: what, hint: hint)
  }

  private static var thereIs: String {
    let names = MicrophoneDescription.all().map { "\($0.pcm) (\($0.name))" }
    return names.isEmpty
      ? "there is no microphone at all; --audio tone gives a test tone"
      : "there is " + names.joined(separator: ", ")
  }
}
