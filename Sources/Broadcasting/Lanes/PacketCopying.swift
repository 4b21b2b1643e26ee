import HoldfastCapture
import HoldfastMediaModel
import HoldfastPlatform

/// Forwards encoded pictures unchanged. A lost source has no stand-in.
struct PacketCopying: Sendable {
  let track: Track

  /// Returns true if the broadcast's duration was reached.
  func run(_ lane: FeedLane<CapturedPacket, Track>) -> Bool {
    let destination = lane.destination
    var losses = PictureLosses(frameDuration: frameDuration)
    var last: MediaTime?
    var isRunning = false
    var needsKeyframe = true
    var wasAway = false
    var hasReachedEnd = false
    var changes = CopiedHeaders(track)
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
      guard changes.admits(lane.feed.properties, destination) else {
        wasAway = true
        continue
      }
      destination.show([], outage(since: nil))
      let captured = queued.item
      losses.add(queued.droppedBefore, .encoderTooSlow)
      losses.add(captured.lostBefore, .source)
      wasAway = wasAway || captured.isAfterOutage
      // Pictures after a loss can't be decoded before the next keyframe.
      needsKeyframe = needsKeyframe || queued.droppedBefore + captured.lostBefore > 0
      guard !needsKeyframe || captured.packet.isKeyframe else {
        losses.add(1, .source)
        continue
      }
      guard let packet = placed(captured.packet, on: destination.timeline) else {
        if isRunning, let last {
          let stoppedAt = destination.timeline.stoppedAt
          for loss in losses.take(from: last + frameDuration, untilStop: stoppedAt) {
            destination.report(lost: loss)
          }
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
      for loss in losses.take(before: packet.decodeTime) { destination.report(lost: loss) }
      if !isRunning { destination.reportStart() }
      isRunning = true
      needsKeyframe = false
      last = packet.decodeTime
      destination.send([packet])
    }
    if let last {
      if !hasReachedEnd { losses.add(lane.dropped, .encoderTooSlow) }
      for loss in losses.take(before: last) { destination.report(lost: loss) }
      let end = hasReachedEnd ? destination.end : destination.timeline.stoppedAt
      if isRunning, let end, end - last > .seconds(1) {
        var outage = outage(since: last + frameDuration)
        destination.report(lost: outage.end(at: end))
      }
    }
    return hasReachedEnd
  }

  private func outage(since: MediaTime?) -> DeviceOutage {
    DeviceOutage(track: .video, frameDuration: frameDuration, since: since, cause: .source, isFilled: false)
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

  private var frameDuration: MediaTime {
    switch track.format {
    case .video(let format): format.frameRate.frameDuration
    case .audio: .zero
    }
  }
}

/// Keeps what comes with other headers out of a copied track: it could not be decoded there.
struct CopiedHeaders: Sendable {
  private let track: Track
  private var isReported = false

  init(_ track: Track) {
    self.track = track
  }

  /// False for packets of a source that has come back as `current`, with another codec or other headers.
  mutating func admits(_ current: Track?, _ destination: LaneDestination) -> Bool {
    guard let current, current.codec != track.codec || current.headers != track.headers else {
      isReported = false
      return true
    }
    if !isReported {
      destination.report(
        .note(
          "\(track.kind.rawValue): the source now sends \(current.codec.name) with other headers, which can't be copied "
            + "into this track; start a new broadcast, or use another encoder than copy"))
      isReported = true
    }
    return false
  }
}
