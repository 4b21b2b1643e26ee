import HoldfastMediaModel
import HoldfastPlatform

/// One encode of a lane's pictures, and where it goes.
struct LaneRendition: Sendable {
  let planned: PlannedRendition
  var destination: LaneDestination
  /// Called when nothing uses it any more.
  var ended: @Sendable () -> Void = {}

  /// Of the packets in `destination`, `receivers` get those of `planned`; its users lack what is lost there.
  init(_ planned: PlannedRendition, of destination: LaneDestination, to receivers: [any PacketReceiver]) {
    self.planned = planned
    self.destination = destination
    self.destination.rendition = planned.id
    self.destination.users = Locked(planned.users)
    self.destination.meters = Meters()
    self.destination.receivers = receivers
  }
}

/// What a rendition is asked for together with a picture.
struct PictureRequest: Hashable, Sendable {
  var isKeyframeForced = false
  var bitrate: BitrateChange?
}

/// Decides which pictures are keyframes, for all renditions alike.
struct KeyframeInterval: Hashable, Sendable {
  private let pictures: Int
  private var untilNext = 0

  init(pictures: Int) { self.pictures = pictures }

  mutating func next(isRequested: Bool) -> Bool {
    let isKeyframe = isRequested || untilNext == 0
    if isKeyframe { untilNext = pictures }
    untilNext -= 1
    return isKeyframe
  }
}
