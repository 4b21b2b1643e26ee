internal import HoldfastCapture
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Packets that are encoded already go to the outputs as they are: a queue, and a thread.
final class CopyLane: Lane {
  private let feed: PacketFeed
  private let attachment: Int
  private let track: Track
  private let destination: LaneDestination
  private let queue = BoundedQueue<CapturedPacket>(capacity: 64)
  /// Pictures for which the queue had no room.
  private let dropped = Locked(0)
  private let thread = ThreadSlot()

  init(feed: PacketFeed, track: Track, destination: LaneDestination) {
    self.feed = feed
    attachment = feed.nextAttachment()
    self.track = track
    self.destination = destination
  }

  func start() throws {
    try thread.start(name: "video-copy") { [self] in copy() }
    try feed.attach(
      destination.receiver(
        of: .video,
        take: { [self] captured, _ in
          if !queue.offer(captured) { dropped.withLock { $0 += 1 + captured.lostBefore } }
        }, end: { [self] in stop() }), as: attachment)
  }

  func stop() {
    feed.detach(attachment)
    destination.timeLine.withdraw(.video)
    queue.close()
  }

  func join() {
    feed.settle(attachment)
    thread.join()
  }

  /// Copying takes no time.
  var isBehind: Bool { false }

  private func copy() {
    var sender = TrackSender(destination)
    var losses = PictureLosses(frameDuration: frameDuration)
    var last: MediaTime?
    var isRunning = false
    var needsKeyframe = true
    var wasAway = false
    var hasReachedEnd = false
    sender.announce(track)
    while !hasReachedEnd, let captured = queue.take() {
      let lost = dropped.withLock { dropped in
        defer { dropped = 0 }
        return dropped
      }
      losses.add(lost, .encoderTooSlow)
      losses.add(captured.lostBefore, .source)
      wasAway = wasAway || captured.isAfterAbsence
      // What follows a loss can't be decoded before the next keyframe.
      needsKeyframe = needsKeyframe || lost + captured.lostBefore > 0
      guard !needsKeyframe || captured.packet.isKeyframe else {
        losses.add(1, .source)
        continue
      }
      guard let packet = placed(captured.packet) else {
        losses.forget()
        needsKeyframe = true
        if isRunning { destination.report(.held(.video)) }
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
      if wasAway, let last { tellAbsence(from: last + frameDuration, to: packet.decodeTime) }
      wasAway = false
      for loss in losses.take(before: packet.decodeTime) { destination.tell(loss) }
      if !isRunning { destination.reportBeginning() }
      isRunning = true
      needsKeyframe = false
      last = packet.decodeTime
      sender.send([packet], of: track)
    }
    if let last {
      for loss in losses.take(before: last) { destination.tell(loss) }
    }
    stop()
    destination.reportEnd(of: .video, hasReachedEnd: hasReachedEnd)
  }

  /// Nothing stands in for a camera that encodes by itself.
  private func tellAbsence(from: MediaTime, to: MediaTime) {
    var absence = Absence(.video, frameDuration: frameDuration)
    absence.begin(at: from)
    if let loss = absence.end(at: to) { destination.tell(loss) }
  }

  /// The packet on the broadcast's time line; nil while that stands still.
  private func placed(_ packet: MediaPacket) -> MediaPacket? {
    let decoded = MonotonicTime(nanoseconds: packet.decodeTime.nanoseconds)
    let shown = MonotonicTime(nanoseconds: packet.presentationTime.nanoseconds)
    guard let media = destination.timeLine.place(picture: decoded, shownAt: shown) else { return nil }
    var packet = packet
    packet.decodeTime = media
    // Nothing is shown before it can be decoded, whatever a file says.
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
