import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// Forwards encoded sound unchanged: what is missing is a gap, as nothing is made up.
struct SoundCopying: Sendable {
  let track: Track

  private static let maxWaiting = 1000

  /// Returns true if the broadcast's duration was reached.
  func run(_ lane: FeedLane<CapturedPacket, Track>) -> Bool {
    let destination = lane.destination
    var placing = SoundPacketMachine(end: destination.end)
    var waiting: [Queued<CapturedPacket>] = []
    var headers = CopiedHeaders(track)
    destination.announce(track)
    while !placing.hasReachedEnd {
      guard let queued = lane.next(until: .now + .seconds(1)) else {
        if lane.isOver { break }
        destination.show([], outage(since: placing.sentUntil))
        guard destination.hasEnded(at: .now) else { continue }
        perform(placing.finish(at: destination.end), destination)
        return true
      }
      defer { lane.finishOne() }
      switch headers.decide(queued.item.track, at: .now) {
      case .pass, .change: waiting.append(queued)
      case .leaveOut(let limit):
        if let limit { destination.report(leavingOut: headers.track, until: limit, at: .now) }
        destination.show([], outage(since: placing.sentUntil))
        continue
      }
      destination.show([], DeviceOutage(track: .audio))
      while let first = waiting.first, let parts = parts(of: first.item.packet, destination.timeline) {
        waiting.removeFirst()
        let isFirst = placing.sentUntil == nil
        let actions = placing.handle(first, parts, stoppedAt: destination.timeline.stoppedAt)
        if actions.contains(where: \.isSend), headers.send(first.item.track, at: .now) {
          destination.begin(first.item.track, isFirst: isFirst)
        }
        perform(actions, destination)
      }
      if waiting.count > Self.maxWaiting { waiting.removeFirst() }
    }
    perform(placing.finish(at: destination.timeline.stoppedAt), destination)
    return placing.hasReachedEnd
  }

  private func outage(since: MediaTime?) -> DeviceOutage {
    DeviceOutage(track: .audio, since: since, cause: .source, isFilled: false)
  }

  private func perform(_ actions: [SoundPacketMachine.Action], _ destination: LaneDestination) {
    for action in actions {
      switch action {
      case .reportLoss(let loss): destination.report(lost: loss)
      case .reportStarted: destination.reportStart()
      case .reportStopped: destination.report(.stopped(.audio))
      case .send(let packet): destination.send([packet])
      }
    }
  }

  /// Nil while the packet's place on the time line is unknown.
  private func parts(of packet: MediaPacket, _ timeline: Timeline) -> [Timeline.Part]? {
    let start = MonotonicTime(nanoseconds: packet.decodeTime.nanoseconds)
    return timeline.place(sound: start..<start + packet.duration)
  }
}

/// Decides which copied packets of sound are sent, at what time, and what is missing between them.
struct SoundPacketMachine: Sendable {
  enum Action: Hashable, Sendable {
    case reportLoss(TrackLoss)
    case reportStarted
    case reportStopped
    case send(MediaPacket)

    var isSend: Bool { if case .send = self { true } else { false } }
  }

  private let end: MediaTime?
  private var stretches = LossStretches()
  /// The end of the last packet sent.
  private(set) var sentUntil: MediaTime?
  private var isRunning = false
  private(set) var hasReachedEnd = false

  /// Smaller distances are rounded stamps and the drift of the source's clock.
  private static let maxJitter = MediaTime.milliseconds(40)
  /// The share of such a distance that a packet makes up for.
  private static let gain: Int64 = 20

  init(end: MediaTime?) { self.end = end }

  /// Handles a packet with its parts on the time line; a packet can't be cut.
  mutating func handle(
    _ queued: Queued<CapturedPacket>, _ parts: [Timeline.Part], stoppedAt: MediaTime
  ) -> [Action] {
    var packet = queued.item.packet
    let start = MonotonicTime(nanoseconds: packet.decodeTime.nanoseconds)
    guard let part = parts.last,
      part.captured.upperBound - start > MediaTime(nanoseconds: packet.duration.nanoseconds / 2)
    else { return stop(at: stoppedAt) }
    // Of the first packet of a period more than half is in it.
    let time = max(.zero, part.media - max(.zero, part.captured.lowerBound - start))
    let isCut = part.captured.lowerBound - start > MediaTime(nanoseconds: packet.duration.nanoseconds / 2)
    guard !isCut else { return [] }
    hasReachedEnd = end.map { time >= $0 } ?? false
    guard !hasReachedEnd else { return [] }
    var actions: [Action] = []
    if let sentUntil, isRunning {
      let distance = time - sentUntil
      if abs(distance.nanoseconds) <= Self.maxJitter.nanoseconds, queued.droppedBefore == 0 {
        packet.decodeTime = sentUntil + MediaTime(nanoseconds: distance.nanoseconds / Self.gain)
      } else {
        guard distance > .zero else { return [] }
        packet.decodeTime = time
        let cause: Gap.Cause = queued.droppedBefore > 0 ? .encoderTooSlow : .source
        let loss = TrackLoss(
          track: .audio, cause: cause, mediaAt: sentUntil, duration: distance, isFilled: false)
        actions = report(stretches.add([loss], at: time))
      }
    } else {
      packet.decodeTime = max(time, sentUntil ?? time)
      actions.append(.reportStarted)
    }
    isRunning = true
    packet.presentationTime = packet.decodeTime
    sentUntil = packet.decodeTime + packet.duration
    return actions + report(stretches.add([], at: packet.decodeTime)) + [.send(packet)]
  }

  /// No more packets arrive before the track's end.
  mutating func finish(at end: MediaTime?) -> [Action] {
    guard !hasReachedEnd, let end else { return report(stretches.end()) }
    return stop(at: end)
  }

  /// Media time has stopped; what is missing until then was lost before.
  private mutating func stop(at stoppedAt: MediaTime) -> [Action] {
    guard isRunning else { return report(stretches.end()) }
    isRunning = false
    var actions: [Action] = []
    if let sentUntil, stoppedAt - sentUntil > Self.maxJitter {
      let loss = TrackLoss(
        track: .audio, cause: .source, mediaAt: sentUntil, duration: stoppedAt - sentUntil,
        isFilled: false)
      actions = report(stretches.add([loss], at: stoppedAt))
    }
    return actions + report(stretches.end()) + [.reportStopped]
  }

  private func report(_ losses: [TrackLoss]) -> [Action] { losses.map { .reportLoss($0) } }
}
