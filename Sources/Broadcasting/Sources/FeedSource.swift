package import HoldfastCapture
package import HoldfastMediaModel
internal import HoldfastPlatform

/// An open source of whichever kind: what it gives is `Taken`, and `Shape` is what a lane has to know of that before.
struct FeedSource<Taken: ~Copyable, Shape: Sendable>: Sendable {
  typealias Run = @Sendable (Wakeup, (consuming Taken) -> Void) throws(CaptureError) -> Void

  let shape: Shape
  /// What was chosen and why, for a person.
  let summary: String
  /// Blocks until it is told to stop or has come to its end; throws when the device is lost.
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

/// An encoded picture on its way to the outputs.
struct CapturedPacket: Sendable {
  let packet: MediaPacket
  /// Pictures that the device says it lost right before this one.
  let lostBefore: Int
  /// The first one of a camera that was away.
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

/// What a feed reports of its device.
package enum FeedEvent: Hashable, Sendable {
  /// It has given its first, and this is what was chosen.
  case opened(TrackKind, summary: String)
  /// It is gone, or gives nothing any more.
  case lost(CaptureError)
  /// It is there again, but somebody else uses it.
  case busy(CaptureError)
  /// It gives something again.
  case back(TrackKind, summary: String)
  /// Another source has taken its place, and gives something.
  case changed(TrackKind, summary: String)
}

/// Where that comes from which a feed gives.
struct Provenance: Hashable, Sendable {
  var isStandIn = false
  /// Grows with each source that takes another one's place.
  var source = 0
}

/// Who gets what a feed gives. Called on the feed's thread.
struct FeedReceiver<Taken: ~Copyable>: Sendable {
  let take: @Sendable (consuming Taken, Provenance) -> Void
  /// Waits until it may begin; false when that will not be. A device does not ask.
  let isReady: @Sendable (Wakeup) -> Bool
  /// A source that is no device has come to its end, or failed.
  let end: @Sendable (CaptureError?) -> Void
}
