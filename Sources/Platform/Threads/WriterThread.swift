package import HoldfastMediaModel

/// Writes items in order on a thread of its own, so that a hanging disk blocks its callers only briefly.
package final class WriterThread<Item: Sendable>: Sendable {
  package enum Outcome: Hashable, Sendable {
    case queued, written
    /// It is queued, but was not written in time.
    case late
    /// The queue was full or closed.
    case dropped
  }

  private let queue: BoundedQueue<(Item, done: Promise<Void>?)>
  /// Set when an item was not written in time; until one is written, callers don't wait.
  private let isLate = Locked(false)
  private let thread = ThreadSlot()

  package init(name: String, capacity: Int, write: @escaping @Sendable (Item) -> Void) throws(SystemError) {
    queue = BoundedQueue(capacity: capacity)
    try thread.start(name: name) { [queue, isLate] in
      while let (item, done) = queue.take() {
        write(item)
        isLate.withLock { $0 = false }
        done?.fulfil(())
      }
    }
  }

  /// Queues an item; with a limit it waits that long for it to be written.
  package func write(_ item: Item, waiting limit: MediaTime? = nil) -> Outcome {
    let done = limit != nil && !isLate.withLock({ $0 }) ? Promise<Void>() : nil
    guard queue.offer((item, done: done)) else { return .dropped }
    guard let limit, let done else { return .queued }
    guard done.take(until: .now + limit) == nil else { return .written }
    isLate.withLock { $0 = true }
    return .late
  }

  /// Writes what is queued. No more items are accepted.
  package func finish() {
    queue.close()
    thread.join()
  }
}
