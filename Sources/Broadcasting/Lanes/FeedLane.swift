import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

struct Queued<Item: ~Copyable & Sendable>: ~Copyable, Sendable {
  let item: Item
  let source: ItemSource
  /// Items dropped before this one because the queue was full.
  let droppedBefore: Int

  consuming func take() -> Item { item }
}

extension Queued: Copyable where Item: Copyable {}

/// Queues a feed's items for an encoding thread. Normally almost empty.
final class FeedLane<Item: ~Copyable & Sendable, Properties: Sendable>: Lane {
  private struct Intake: Sendable {
    /// Items dropped since the last one queued.
    var dropped = 0
    var isOver = false
    var waiting = 0
  }

  let feed: Feed<Item, Properties>
  let destination: LaneDestination
  private let attachment: Int
  private let queue: BoundedQueue<Queued<Item>>
  private let intake = Locked(Intake())
  private let thread = ThreadSlot()
  private let losses: @Sendable (borrowing Item) -> Int
  private let encode: @Sendable (FeedLane) throws -> Bool

  /// `losses` counts what a dropped item loses; `encode` returns true at the end of the duration.
  init(
    _ feed: Feed<Item, Properties>, capacity: Int, to destination: LaneDestination,
    losses: @escaping @Sendable (borrowing Item) -> Int = { _ in 1 },
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
    try thread.start(name: "\(track.rawValue)-encoder", priority: track.threadPriority) { [self] in run() }
    let (timeline, report) = (destination.timeline, destination.report)
    // A device runs before the broadcast is live, to warm up.
    let receiver = FeedReceiver<Item>(
      receive: { [self] in offer($0, $1) }, isReady: { timeline.waitForLive(until: $0) },
      end: { [self] error in
        if let error { report(.sourceFailed(error)) }
        stop()
      })
    try feed.attach(receiver, as: attachment)
  }

  func stop() {
    intake.withLock { $0.isOver = true }
    feed.detach(attachment)
    destination.timeline.withdraw(track)
    queue.close()
  }

  func join() {
    feed.awaitEnd(of: attachment)
    thread.join()
  }

  var isBehind: Bool { waiting > 0 }

  private func offer(_ item: consuming Item, _ source: ItemSource) {
    let lost = losses(item)
    let before = intake.withLock { intake in
      intake.waiting += 1
      return intake.dropped
    }
    let isQueued = queue.offer(Queued(item: item, source: source, droppedBefore: before))
    intake.withLock { intake in
      if !isQueued { intake.waiting -= 1 }
      if !intake.isOver { intake.dropped = isQueued ? 0 : before + lost }
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
    destination.report(.finished(track, hasReachedEnd: hasReachedEnd, selfEnding: destination.selfEnding()))
  }
}

// MARK: - On the lane's thread

extension FeedLane where Item: ~Copyable {
  /// The next item, to be followed by `finishOne`; nil at the end.
  func next() -> Queued<Item>? { queue.take() }

  /// The same, and nil after `deadline`.
  func next(until deadline: MonotonicTime) -> Queued<Item>? { queue.take(until: deadline) }

  /// No more items will come.
  var isOver: Bool { intake.withLock { $0.isOver } }

  func finishOne() { intake.withLock { $0.waiting -= 1 } }

  /// Items not finished yet, with the current one.
  var waiting: Int { intake.withLock { $0.waiting } }

  /// Items dropped after the last one queued.
  var dropped: Int { intake.withLock { $0.dropped } }
}
