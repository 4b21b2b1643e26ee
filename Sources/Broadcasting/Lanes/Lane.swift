package import HoldfastCapture
package import HoldfastMediaModel
internal import HoldfastPlatform

/// A track's way from its feed to the outputs, on a thread of its own.
protocol Lane: Sendable {
  func start() throws
  /// Nothing more is taken from the feed; what it has given goes on to the outputs.
  func stop()
  /// Waits for the thread; call it after `stop`.
  func join()
  /// Something has been captured that is not encoded yet.
  var isBehind: Bool { get }
}

/// What a lane's queue holds.
struct Queued<Taken: ~Copyable & Sendable>: ~Copyable, Sendable {
  let taken: Taken
  let provenance: Provenance
  /// What was lost right before it because the queue was full.
  let droppedBefore: Int

  consuming func take() -> Taken { taken }
}

extension Queued: Copyable where Taken: Copyable {}

/// Queues what one feed gives, for a thread that encodes. The queue is empty unless the machine is busy.
final class FeedLane<Taken: ~Copyable & Sendable, Shape: Sendable>: Lane {
  private struct Intake: Sendable {
    /// What found no room in the queue since the last one that did.
    var dropped = 0
    var isOver = false
    /// In the queue, or being encoded.
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

  /// `losses` counts what is missing without one; `encode` empties the lane, and says whether the broadcast's time was over.
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
    // A device runs ahead, so that it has warmed up when the broadcast goes live.
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
  /// The next one, to be followed by `finishOne`; nil when no more come.
  func next() -> Queued<Taken>? { queue.take() }

  func finishOne() {
    intake.withLock { $0.waiting -= 1 }
  }

  /// What found no room behind the last one.
  var dropped: Int { intake.withLock { $0.dropped } }
}

/// Where a lane's packets go, and what it reports of them.
struct LaneDestination: Sendable {
  let timeLine: TimeLine
  /// The track ends here, on the lanes' own time line.
  let end: MediaTime?
  let receivers: [any PacketReceiver]
  let meters: Meters
  /// Tracks whose sources come to an end by themselves.
  let selfEnding: @Sendable () -> Set<TrackKind>
  let report: @Sendable (LaneEvent) -> Void

  /// A server is told what the track is before the first packet.
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

  /// The first of a track lies on the time line, since that began or went on.
  func reportBeginning() {
    if let start = timeLine.start { report(.began(start)) }
  }
}

/// What a lane reports to the broadcast.
package enum LaneEvent: Sendable {
  case note(String)
  /// Media time runs since then.
  case began(MediaStart)
  /// All that lies before the time line's standstill has been handed on.
  case held(TrackKind)
  case lost(TrackLoss)
  case bitrateChanged(BitrateChange)
  case sourceFailed(CaptureError)
  case encodingFailed(TrackKind, String)
  /// All packets of the track have been handed on; the broadcast's time was over, or else the source's.
  case finished(TrackKind, hasReachedEnd: Bool, selfEnding: Set<TrackKind>)
}
