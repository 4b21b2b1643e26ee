import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// An open source of items of type `Item`; `Properties` is the format that a lane needs in advance.
struct FeedSource<Item: ~Copyable, Properties: Sendable>: Sendable {
  let properties: Properties
  let summary: String
  /// Blocks until stopped or the source ends; throws when the device is lost.
  let run: @Sendable (Wakeup, (consuming Item) -> Void) throws(CaptureError) -> Void
}

struct VideoProperties: Hashable, Sendable {
  var format: VideoFormat
  var pixelFormat: PixelFormat
}

struct AudioProperties: Hashable, Sendable {
  var format: AudioFormat
  var hasOwnClock: Bool
}

struct CapturedPacket: Sendable {
  let packet: MediaPacket
  let track: Track
  /// Pictures that the device reports lost immediately before this one.
  let lostBefore: Int
  /// The first packet of a camera that was lost.
  let isAfterOutage: Bool
}

extension FeedSource where Item == CapturedFrame, Properties == VideoProperties {
  init(_ source: any VideoSource) {
    self.init(
      properties: VideoProperties(format: source.format, pixelFormat: source.pixelFormat),
      summary: source.summary
    ) { (stop, deliver) throws(CaptureError) in try source.run(until: stop, deliver: deliver) }
  }
}

extension FeedSource where Item == AudioBlock, Properties == AudioProperties {
  init(_ source: any AudioSource) {
    self.init(
      properties: AudioProperties(format: source.format, hasOwnClock: source.hasOwnClock),
      summary: source.summary
    ) { (stop, deliver) throws(CaptureError) in try source.run(until: stop) { deliver($0) } }
  }
}

extension FeedSource where Item == CapturedPacket, Properties == Track {
  init(_ source: any PacketSource, isAfterOutage: Bool = false) {
    self.init(properties: source.track, summary: source.summary) { (stop, deliver) throws(CaptureError) in
      var isFirst = isAfterOutage
      try source.run(until: stop) {
        deliver(
          CapturedPacket(
            packet: $0.packet, track: $0.track, lostBefore: $0.lostBefore, isAfterOutage: isFirst))
        isFirst = false
      }
    }
  }
}
