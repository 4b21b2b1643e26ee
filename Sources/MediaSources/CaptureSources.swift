package import HoldfastFFmpeg
package import HoldfastMediaModel
package import HoldfastPlatform

package struct CapturedFrame: ~Copyable, Sendable {
  package let frame: Frame
  package let captureTime: MonotonicTime
  /// The number of pictures lost by the device right before this one.
  package let lostBefore: Int
  /// The members of a programme whose picture is missing in it, and for how long it has been, as far as that is their source's.
  package let absentMembers: [String: MediaTime]

  package init(
    _ frame: consuming Frame, captureTime: MonotonicTime, lostBefore: Int = 0,
    absentMembers: [String: MediaTime] = [:]
  ) {
    self.absentMembers = absentMembers
    self.frame = frame
    self.captureTime = captureTime
    self.lostBefore = lostBefore
  }

  package consuming func takeFrame() -> Frame { frame }
}

/// A source of raw pictures in real time.
///
/// `run` blocks until `stop` is signalled or the source ends; throws when the device is lost.
package protocol VideoSource: Sendable {
  /// The actual format, which may differ from the requested one.
  var format: VideoFormat { get }
  var pixelFormat: PixelFormat { get }
  /// The chosen mode and the reason, as text.
  var summary: String { get }
  func run(until stop: Wakeup, deliver: (consuming CapturedFrame) -> Void) throws(CaptureError)
}

/// A source of sound in real time, in blocks of at most about 20 ms.
package protocol AudioSource: Sendable {
  var format: AudioFormat { get }
  /// Whether the samples follow the source's own clock, which drifts.
  var hasOwnClock: Bool { get }
  var summary: String { get }
  func run(until stop: Wakeup, deliver: (AudioBlock) -> Void) throws(CaptureError)
}

/// A source of encoded packets, timed from `MonotonicTime(nanoseconds: 0)`.
package protocol PacketSource: Sendable {
  /// That of the first packets.
  var track: Track { get }
  var summary: String { get }
  func run(until stop: Wakeup, deliver: (SourcePacket) -> Void) throws(CaptureError)
}

/// An encoded packet of a source.
package struct SourcePacket: Hashable, Sendable {
  package let packet: MediaPacket
  /// Its headers may differ from those of the packet before.
  package let track: Track
  /// Packets that the device has lost right before this one.
  package let lostBefore: Int

  package init(_ packet: MediaPacket, _ track: Track, lostBefore: Int = 0) {
    (self.packet, self.track, self.lostBefore) = (packet, track, lostBefore)
  }
}
