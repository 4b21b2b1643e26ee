import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// Forwards encoded pictures unchanged. A lost source has no stand-in.
struct PacketCopying: Sendable {
  let track: Track

  /// Returns true if the broadcast's duration was reached.
  func run(_ lane: FeedLane<CapturedPacket, Track>) -> Bool {
    let destination = lane.destination
    var frameDuration = Self.frameDuration(of: track)
    var losses = PictureLosses(frameDuration: frameDuration)
    func outage(since: MediaTime?) -> DeviceOutage {
      DeviceOutage(track: .video, frameDuration: frameDuration, since: since, cause: .source, isFilled: false)
    }
    var last: MediaTime?
    var isRunning = false
    var needsKeyframe = true
    var wasAway = false
    var hasReachedEnd = false
    var headers = CopiedHeaders(track)
    destination.announce(track)
    while !hasReachedEnd {
      guard let queued = lane.next(until: .now + .seconds(1)) else {
        if lane.isOver { break }
        if let last { destination.show([], outage(since: last + frameDuration)) }
        // A network source that is lost delivers nothing that could reach the end.
        hasReachedEnd = destination.hasEnded(at: .now)
        continue
      }
      defer { lane.finishOne() }
      let captured = queued.item
      switch headers.decide(captured.track, at: .now) {
      case .pass: break
      case .change: needsKeyframe = true
      case .leaveOut(let limit):
        if let limit { destination.report(leavingOut: headers.track, until: limit, at: .now) }
        // The next picture that is passed refers to no earlier one.
        (wasAway, needsKeyframe) = (true, true)
        if let last { destination.show([], outage(since: last + frameDuration)) }
        continue
      }
      destination.show([], outage(since: nil))
      losses.add(queued.droppedBefore, .encoderTooSlow)
      losses.add(captured.lostBefore, .source)
      wasAway = wasAway || captured.isAfterOutage
      // Pictures after a loss can't be decoded before the next keyframe.
      needsKeyframe = needsKeyframe || queued.droppedBefore + captured.lostBefore > 0
      guard !needsKeyframe || captured.packet.isKeyframe else {
        // An outage lasts until the keyframe.
        if !wasAway { losses.add(1, .source) }
        continue
      }
      guard let packet = placed(captured.packet, on: destination.timeline) else {
        if isRunning, let last {
          let stoppedAt = destination.timeline.stoppedAt
          destination.report(lost: losses.take(from: last + frameDuration, untilStop: stoppedAt))
        }
        losses.forget()
        needsKeyframe = true
        if isRunning { destination.report(.stopped(.video)) }
        isRunning = false
        continue
      }
      guard last.map({ packet.decodeTime.isLater(than: $0, timescale: 90_000) }) ?? true else {
        losses.add(1, .source)
        needsKeyframe = true
        continue
      }
      hasReachedEnd = destination.end.map { packet.decodeTime >= $0 } ?? false
      guard !hasReachedEnd else { break }
      if !isRunning { losses.forget() }
      if wasAway, let last {
        var outage = outage(since: last + frameDuration)
        outage.cause = queued.source.outageCause
        destination.report(lost: outage.end(at: packet.decodeTime))
      }
      wasAway = false
      destination.report(lost: losses.take(before: packet.decodeTime))
      if !isRunning { destination.reportStart() }
      isRunning = true
      needsKeyframe = false
      let isFirst = last == nil
      last = packet.decodeTime
      if headers.send(captured.track, at: .now) {
        destination.begin(captured.track, isFirst: isFirst)
        frameDuration = Self.frameDuration(of: captured.track)
        losses = PictureLosses(frameDuration: frameDuration)
      }
      destination.send([packet])
    }
    if isRunning, let last {
      if !hasReachedEnd { losses.add(lane.dropped, .encoderTooSlow) }
      let end = hasReachedEnd ? destination.end : destination.timeline.stoppedAt
      let next = last + frameDuration
      var lost: [TrackLoss] = []
      if hasReachedEnd, !wasAway, let end { lost = losses.take(from: next, untilStop: end) }
      if lost.isEmpty {
        lost = losses.take(before: last)
        var outage = outage(since: next)
        if let end, end - last > .seconds(1), let loss = outage.end(at: end) { lost.append(loss) }
      }
      destination.report(lost: lost)
    }
    return hasReachedEnd
  }

  /// The packet in media time; nil while that is stopped.
  private func placed(_ packet: MediaPacket, on timeline: Timeline) -> MediaPacket? {
    let decoded = MonotonicTime(nanoseconds: packet.decodeTime.nanoseconds)
    let shown = MonotonicTime(nanoseconds: packet.presentationTime.nanoseconds)
    guard let media = timeline.place(picture: decoded, shownAt: shown) else { return nil }
    var packet = packet
    packet.decodeTime = media
    // A file may claim presentation before decoding.
    packet.presentationTime = media + max(.zero, shown - decoded)
    return packet
  }

  private static func frameDuration(of track: Track) -> MediaTime {
    switch track.format {
    case .video(let format): format.frameRate.frameDuration
    case .audio: .zero
    }
  }
}
