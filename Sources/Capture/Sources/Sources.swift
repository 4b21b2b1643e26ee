package import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

/// A raw picture and its capture time.
package struct CapturedFrame: ~Copyable, Sendable {
  package let frame: Frame
  package let captureTime: MonotonicTime
  /// The pictures that the device lost right before this one.
  package let lostBefore: Int

  package init(_ frame: consuming Frame, captureTime: MonotonicTime, lostBefore: Int = 0) {
    self.frame = frame
    self.captureTime = captureTime
    self.lostBefore = lostBefore
  }

  package consuming func takeFrame() -> Frame { frame }
}

/// A source of raw pictures in real time.
///
/// `run` blocks on a thread of its own until `stop` is signalled or the source ends, and throws when the device is lost.
package protocol VideoSource: Sendable {
  /// The actual format, which may differ from the requested one.
  var format: VideoFormat { get }
  var pixelFormat: PixelFormat { get }
  /// The chosen mode and the reason, for a person.
  var summary: String { get }
  func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError)
}

/// A source of sound in real time, in blocks of at most about 20 ms.
package protocol AudioSource: Sendable {
  var format: AudioFormat { get }
  /// A clock of its own counts its samples, which drifts against the machine's.
  var hasOwnClock: Bool { get }
  var summary: String { get }
  func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError)
}

/// A source of encoded packets. Their times are instants of the monotonic clock, counted from
/// `MonotonicTime(nanoseconds: 0)`. `lostBefore` is how many packets the device lost right before one.
package protocol PacketSource: Sendable {
  var track: Track { get }
  var summary: String { get }
  func run(until stop: Wakeup, deliver: (MediaPacket, _ lostBefore: Int) -> Void) throws(CaptureError)
}

/// A failure of a camera, a microphone or a file.
package struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case notFound
    /// Another program uses it.
    case busy
    /// It has gone, or has stopped giving anything.
    case lost
    /// It can't give what is requested.
    case unsuitable
    case notPermitted
  }

  package let kind: Kind
  package let track: TrackKind
  /// The name of the device or file.
  package let device: String
  /// What happened, without the device's name.
  package let what: String
  /// What to do about it.
  package let hint: String

  package init(_ kind: Kind, _ track: TrackKind, device: String, what: String, hint: String) {
    self.kind = kind
    self.track = track
    self.device = device
    self.what = what
    self.hint = hint
  }

  package var description: String { "\(device): \(what); \(hint)" }
}
