public import FFmpeg
public import MediaModel
public import Platform

/// A raw picture on its way to the encoder, and when it was taken.
public struct CapturedFrame: ~Copyable, Sendable {
  public let frame: Frame
  public let captureTime: MonotonicTime
  /// Pictures that the device says it lost right before this one.
  public let lostBefore: Int

  public init(_ frame: consuming Frame, captureTime: MonotonicTime, lostBefore: Int = 0) {
    self.frame = frame
    self.captureTime = captureTime
    self.lostBefore = lostBefore
  }

  public consuming func takeFrame() -> Frame { frame }
}

/// Something that gives raw pictures in real time.
///
/// `run` blocks: it has a thread to itself. It returns when `stop` is signalled or the source has come to its end, and
/// throws when the device is lost.
public protocol VideoSource: Sendable {
  /// What it gives: it may differ from what was asked for.
  var format: VideoFormat { get }
  var pixelFormat: PixelFormat { get }
  /// What was chosen and why, for a person.
  var summary: String { get }
  func run(until stop: StopSignal, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError)
}

/// Something that gives sound in real time, in blocks of at most some 20 ms.
public protocol AudioSource: Sendable {
  var format: AudioFormat { get }
  /// Its samples are counted by a clock of its own, which runs a little faster or slower than the machine's.
  var hasOwnClock: Bool { get }
  var summary: String { get }
  func run(until stop: StopSignal, deliver: (AudioBlock) -> Void) throws(CaptureError)
}

/// Something that gives packets that are encoded already. Their times are instants of the monotonic clock, counted from
/// `MonotonicTime(nanoseconds: 0)`. `lostBefore` is how many the device lost right before a packet.
public protocol PacketSource: Sendable {
  var track: Track { get }
  var summary: String { get }
  func run(until stop: StopSignal, deliver: (MediaPacket, _ lostBefore: Int) -> Void) throws(CaptureError)
}
