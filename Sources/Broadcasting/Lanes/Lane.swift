package import HoldfastCapture
package import HoldfastMediaModel
import HoldfastPlatform

/// The path of a track from its feed to the outputs, on its own thread.
protocol Lane: Sendable {
  func start() throws
  /// Detaches from the feed; items already queued are still processed.
  func stop()
  /// Waits for the thread; call it after `stop`.
  func join()
  /// Captured items are still waiting to be encoded.
  var isBehind: Bool { get }
}

struct Queued<Taken: ~Copyable & Sendable>: ~Copyable, Sendable {
  let taken: Taken
  let provenance: Provenance
  /// Items dropped before this one because the queue was full.
  let droppedBefore: Int

  consuming func take() -> Taken { taken }
}

extension Queued: Copyable where Taken: Copyable {}

/// Queues a feed's items for an encoding thread. Normally almost empty.
final class FeedLane<Taken: ~Copyable & Sendable, Shape: Sendable>: Lane {
  private struct Intake: Sendable {
    /// Items dropped since the last one queued.
    var dropped = 0
    var isOver = false
    var waiting = 0
  }

  let feed: Feed<Taken, Shape>
  let destination: LaneDestination
  private let attachment: Int
  private let queue: BoundedQueue<Queued<Taken>>
  private let intake = Locked(Intake())
  private let thread = ThreadSlot()
  private let losses: @Sendable (borrowing Taken) -> Int
  private let encode: @Sendable (FeedLane) throws -> Bool

  /// `losses` counts what a dropped item loses; `encode` returns true at the end of the duration.
  init(
    _ feed: Feed<Taken, Shape>, capacity: Int, to destination: LaneDestination,
    losses: @escaping @Sendable (borrowing Taken) -> Int = { _ in 1 },
    encode: @escaping @Sendable (FeedLane) throws -> Bool
  ) {
    self.feed = feed
    self.destination = destination
    attachment = feed.nextAttachment()
    queue = BoundedQueue(capacity: capacity)
    self.losses = losses
    self.encode = encode
  }

  private var track: TrackKind { feed.track }

  func start() throws {
    try thread.start(name: "\(track.rawValue)-encoder") { [self] in run() }
    let (timeLine, report) = (destination.timeLine, destination.report)
    // A device runs before the broadcast is live, to warm up.
    let receiver = FeedReceiver<Taken>(
      take: { [self] in offer($0, $1) }, isReady: { timeLine.waitForLive(until: $0) },
      end: { [self] error in
        if let error { report(.sourceFailed(error)) }
        stop()
      })
    try feed.attach(receiver, as: attachment)
  }

  func stop() {
    intake.withLock { $0.isOver = true }
    feed.detach(attachment)
    destination.timeLine.withdraw(track)
    queue.close()
  }

  func join() {
    feed.awaitEnd(of: attachment)
    thread.join()
  }

  var isBehind: Bool { intake.withLock { $0.waiting > 0 } }

  private func offer(_ taken: consuming Taken, _ provenance: Provenance) {
    let lost = losses(taken)
    let before = intake.withLock { intake in
      intake.waiting += 1
      return intake.dropped
    }
    let isTaken = queue.offer(Queued(taken: taken, provenance: provenance, droppedBefore: before))
    intake.withLock { intake in
      if !isTaken { intake.waiting -= 1 }
      if !intake.isOver { intake.dropped = isTaken ? 0 : before + lost }
    }
  }

  private func run() {
    var hasReachedEnd = false
    do {
      hasReachedEnd = try encode(self)
    } catch {
      destination.report(.encodingFailed(track, "\(error)"))
    }
    stop()
    destination.report(
      .finished(track, hasReachedEnd: hasReachedEnd, selfEnding: destination.selfEnding()))
  }
}

// MARK: - On the lane's thread

extension FeedLane where Taken: ~Copyable {
  /// The next item, to be followed by `finishOne`; nil at the end.
  func next() -> Queued<Taken>? { queue.take() }

  func finishOne() {
    intake.withLock { $0.waiting -= 1 }
  }

  /// Items dropped after the last one queued.
  var dropped: Int { intake.withLock { $0.dropped } }
}

/// The receivers of a lane's packets and reports.
struct LaneDestination: Sendable {
  let timeLine: TimeLine
  /// The end of the track, in the lanes' media time.
  let end: MediaTime?
  let receivers: [any PacketReceiver]
  let meters: Meters
  let selfEnding: @Sendable () -> Set<TrackKind>
  let report: @Sendable (LaneEvent) -> Void

  /// Announces the track to the receivers, before its first packet.
  func announce(_ track: Track) {
    for receiver in receivers { receiver.offer(track) }
  }

  func send(_ packets: [MediaPacket]) {
    for var packet in packets {
      packet.decodeTime += timeLine.base
      packet.presentationTime += timeLine.base
      meters.sent(packet)
      for receiver in receivers { receiver.offer(packet) }
    }
  }

  func report(lost loss: TrackLoss?) {
    guard var loss else { return }
    loss.mediaAt += timeLine.base
    meters.lost(loss)
    report(.lost(loss))
  }

  func reportBeginning() {
    if let start = timeLine.start { report(.began(start)) }
  }
}

package enum LaneEvent: Sendable {
  case note(String)
  case began(MediaStart)
  /// Everything before the stop of media time has been delivered.
  case held(TrackKind)
  case lost(TrackLoss)
  case bitrateChanged(BitrateChange)
  case sourceFailed(CaptureError)
  case encodingFailed(TrackKind, String)
  /// All packets of the track have been delivered; its source ended unless `hasReachedEnd`.
  case finished(TrackKind, hasReachedEnd: Bool, selfEnding: Set<TrackKind>)
}
