import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// Encodes pictures, once for each rendition; late pictures are still encoded.
struct PictureEncoding: Sendable {
  struct Settings: Sendable {
    var codec: Codec
    /// Not exceeded by what is encoded.
    var frameRate: FrameRate
    var keyframeInterval: MediaTime

    func frameRate(of source: VideoProperties) -> FrameRate {
      let rate = source.format.frameRate
      return RateLimit.applies(source: rate, target: frameRate) ? frameRate : rate
    }
  }

  let properties: VideoProperties
  let settings: Settings
  /// Those that run.
  let renditions: Locked<[LaneRendition]>
  /// Made anew for viewers of the live stream; nil for what they can't choose.
  var viewed: @Sendable (RenditionID) -> LaneRendition? = { _ in nil }
  /// Outputs that may have an encode of their own, by their ids.
  let switches: [String: OutputSwitch]
  let requests: EncoderRequests
  let destination: LaneDestination
  /// Pictures that wait for a rendition.
  let backlog: Locked<Int>

  /// Returns true if the broadcast's duration was reached.
  func run(_ lane: FeedLane<CapturedFrame, VideoProperties>) throws -> Bool {
    let timeline = destination.timeline
    var renditions = try Renditions(self)
    var pictures = PictureMachine(
      source: properties.format.frameRate, encoded: settings.frameRate(of: properties), end: destination.end)
    var members = MemberOutages(track: .video, step: settings.frameRate(of: properties).frameDuration)
    while !pictures.hasReachedEnd, let queued = lane.next() {
      defer { lane.finishOne() }
      let arrival = queued.arrival
      guard pictures.admits(arrival) else { continue }
      let actions = pictures.handle(
        arrival, at: timeline.place(picture: arrival.captureTime), stoppedAt: timeline.stoppedAt,
        sourceRate: lane.feed.properties?.format.frameRate)
      let time = perform(actions, on: &renditions, &members)
      if let time { destination.report(lost: members.update(queued.item.absentMembers, at: time)) }
      let lasting = pictures.stretches.lasting + (time.map { members.lasting(at: $0) } ?? [])
      destination.show(lasting, pictures.outage)
      guard let time else { continue }
      try renditions.encode(
        queued.take().takeFrame(), at: time, requests.take(), waiting: lane.waiting - 1,
        dropped: arrival.droppedBefore)
    }
    try renditions.finish()
    _ = perform(pictures.finish(dropped: lane.dropped), on: &renditions, &members)
    destination.report(lost: members.end())
    return pictures.hasReachedEnd
  }

  /// The media time to encode the picture at; nil if it is skipped.
  private func perform(
    _ actions: [PictureMachine.Action], on renditions: inout Renditions, _ members: inout MemberOutages
  ) -> MediaTime? {
    for action in actions {
      switch action {
      case .reportLoss(let loss): destination.report(lost: loss)
      case .reportStarted: destination.reportStart()
      case .reportStopped:
        let end = destination.timeline.stoppedAt
        renditions.stop(at: end)
        destination.report(lost: members.end(at: end))
      case .encode(let time): return time
      }
    }
    return nil
  }
}

extension Queued<CapturedFrame> {
  fileprivate var arrival: PictureMachine.Arrival {
    PictureMachine.Arrival(
      captureTime: item.captureTime, source: source, lostBefore: item.lostBefore,
      droppedBefore: droppedBefore)
  }
}
