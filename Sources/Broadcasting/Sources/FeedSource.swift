package import HoldfastCapture
package import HoldfastMediaModel
import HoldfastPlatform

/// An open source of items of type `Taken`; `Shape` is the format that a lane needs in advance.
struct FeedSource<Taken: ~Copyable, Shape: Sendable>: Sendable {
  typealias Run = @Sendable (Wakeup, (consuming Taken) -> Void) throws(CaptureError) -> Void

  let shape: Shape
  let summary: String
  /// Blocks until stopped or the source ends; throws when the device is lost.
  let run: Run
}

struct VideoShape: Hashable, Sendable {
  var format: VideoFormat
  var pixelFormat: PixelFormat
}

struct AudioShape: Hashable, Sendable {
  var format: AudioFormat
  var hasOwnClock: Bool
}

struct CapturedPacket: Sendable {
  let packet: MediaPacket
  /// Pictures that the device reports lost immediately before this one.
  let lostBefore: Int
  /// The first packet of a camera that was lost.
  let isAfterAbsence: Bool
}

extension FeedSource where Taken == CapturedFrame, Shape == VideoShape {
  init(_ source: any VideoSource) {
    self.init(
      shape: VideoShape(format: source.format, pixelFormat: source.pixelFormat), summary: source.summary
    ) { (stop, deliver) throws(CaptureError) in try source.run(until: stop, deliver: deliver) }
  }
}

extension FeedSource where Taken == AudioBlock, Shape == AudioShape {
  init(_ source: any AudioSource) {
    self.init(
      shape: AudioShape(format: source.format, hasOwnClock: source.hasOwnClock), summary: source.summary
    ) { (stop, deliver) throws(CaptureError) in try source.run(until: stop) { deliver($0) } }
  }
}

extension FeedSource where Taken == CapturedPacket, Shape == Track {
  init(_ source: any PacketSource, isAfterAbsence: Bool = false) {
    self.init(shape: source.track, summary: source.summary) { (stop, deliver) throws(CaptureError) in
      var isFirst = isAfterAbsence
      try source.run(until: stop) {
        deliver(CapturedPacket(packet: $0, lostBefore: $1, isAfterAbsence: isFirst))
        isFirst = false
      }
    }
  }
}

/// Device events reported by a feed.
package enum FeedEvent: Hashable, Sendable {
  case opened(TrackKind, summary: String)
  /// The device is gone or delivers nothing.
  case lost(CaptureError)
  /// The device is present but used by another program.
  case busy(CaptureError)
  case back(TrackKind, summary: String)
  case changed(TrackKind, summary: String)
}

struct Provenance: Hashable, Sendable {
  var isStandIn = false
  /// The run's number; increases with each source.
  var source = 0
}

/// The receiver of a feed's items. Called on the feed's thread.
struct FeedReceiver<Taken: ~Copyable>: Sendable {
  let take: @Sendable (consuming Taken, Provenance) -> Void
  /// Waits until a file may start; false if it never will. Not called for devices.
  let isReady: @Sendable (Wakeup) -> Bool
  /// A source that is not a device has ended or failed.
  let end: @Sendable (CaptureError?) -> Void
}
