/// A source of sound implemented by the program, captured like a microphone.
public protocol SoundSource: AnyObject, Sendable {
  /// The source's name in events and errors.
  var name: String { get }
  /// The format of all blocks.
  var format: SoundFormat { get }
  /// Whether a clock other than the machine's paces the samples, as on a sound card.
  var hasOwnClock: Bool { get }

  /// Delivers blocks of at most about 20 ms in real time until `stop` is requested. It runs on a thread of
  /// its own and may block; `PictureSource.run` has the same limits. If it returns or throws earlier, the
  /// source counts as lost: silence replaces it, and `run` is called again.
  func run(until stop: SourceStop, deliver: (SoundBlock) -> Void) throws
}

extension SoundSource {
  /// False: the machine's clock paces the samples.
  public var hasOwnClock: Bool { false }
}

/// A block of sound: interleaved samples from -1 to 1. A last frame that lacks a channel is dropped.
public struct SoundBlock: Hashable, Sendable {
  public let samples: [Float]
  /// The capture time of the first sample.
  public let captureTime: CaptureTime

  /// Creates a block whose first sample was captured at `captureTime`.
  public init(samples: [Float], captureTime: CaptureTime = .now) {
    self.samples = samples
    self.captureTime = captureTime
  }
}

/// The sample rate and channel count of sound.
public struct SoundFormat: Hashable, Sendable {
  public var sampleRate: Int
  public var channels: Int

  /// Creates a format, 48 kHz stereo by default.
  public init(sampleRate: Int = 48_000, channels: Int = 2) {
    self.sampleRate = sampleRate
    self.channels = channels
  }
}
