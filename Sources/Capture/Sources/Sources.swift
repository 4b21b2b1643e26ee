package import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

/// A raw picture on its way to the encoder, and when it was taken.
package struct CapturedFrame: ~Copyable, Sendable {
  package let frame: Frame
  package let captureTime: MonotonicTime
  /// Pictures that the device says it lost right before this one.
  package let lostBefore: Int

  package init(_ frame: consuming Frame, captureTime: MonotonicTime, lostBefore: Int = 0) {
    self.frame = frame
    self.captureTime = captureTime
    self.lostBefore = lostBefore
  }

  package consuming func takeFrame() -> Frame { frame }
}

/// Something that gives raw pictures in real time.
///
/// `run` blocks: it has a thread to itself. It returns when `stop` is signalled or the source has come to its end, and
/// throws when the device is lost.
package protocol VideoSource: Sendable {
  /// What it gives: it may differ from what was asked for.
  var format: VideoFormat { get }
  var pixelFormat: PixelFormat { get }
  /// What was chosen and why, for a person.
  var summary: String { get }
  func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError)
}

/// Something that gives sound in real time, in blocks of at most some 20 ms.
package protocol AudioSource: Sendable {
  var format: AudioFormat { get }
  /// Its samples are counted by a clock of its own, which runs a little faster or slower than the machine's.
  var hasOwnClock: Bool { get }
  var summary: String { get }
  func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError)
}

/// Something that gives packets that are encoded already. Their times are instants of the monotonic clock, counted from
/// `MonotonicTime(nanoseconds: 0)`. `lostBefore` is how many the device lost right before a packet.
package protocol PacketSource: Sendable {
  var track: Track { get }
  var summary: String { get }
  func run(until stop: Wakeup, deliver: (MediaPacket, _ lostBefore: Int) -> Void) throws(CaptureError)
}
