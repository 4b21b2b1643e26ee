package import HoldfastMediaModel
package import HoldfastPlatform

/// Writes a journal on a thread of its own, so that a hanging disk blocks the broadcast only briefly.
package final class JournalThread: Sendable {
  private struct Item: Sendable {
    let record: JournalRecord
    let done: Promise<Void>?
  }

  let writer: Locked<JournalWriter>
  private let queue = BoundedQueue<Item>(capacity: 1024)
  /// Set when an entry was not written in time; until one is, `write` only queues.
  private let isLate = Locked(false)
  private let thread = ThreadSlot()
  private let timeout: MediaTime
  private let report: @Sendable (JournalError) -> Void

  package init(
    _ writer: consuming JournalWriter, timeout: MediaTime = .milliseconds(250),
    report: @escaping @Sendable (JournalError) -> Void
  ) throws(SystemError) {
    self.writer = Locked(writer)
    self.timeout = timeout
    self.report = report
    try thread.start(name: "journal") { [self] in run() }
  }

  /// Queues an entry; blocks until a transition is on disk, but not longer than the timeout.
  package func write(_ entry: JournalEntry, at instant: JournalInstant = .now()) {
    let done = entry.isTransition && !isLate.withLock({ $0 }) ? Promise<Void>() : nil
    guard queue.offer(Item(record: JournalRecord(at: instant, entry), done: done)) else {
      return report(
        JournalError(.slow, "the journal's queue is full", hint: "an entry is missing; check the disk"))
    }
    guard let done, done.take(until: .now + timeout) == nil else { return }
    isLate.withLock { $0 = true }
    report(
      JournalError(
        .slow, "the journal's disk is slow", hint: "entries are written late; check the disk"))
  }

  /// Writes what is queued and closes the file. No more entries are accepted.
  package func finish() {
    queue.close()
    thread.join()
  }

  private func run() {
    while let item = queue.take() {
      do throws(JournalError) {
        try writer.withLock { (writer) throws(JournalError) in
          try writer.write(item.record.entry, at: item.record.instant)
        }
      } catch {
        report(error)
      }
      isLate.withLock { $0 = false }
      item.done?.fulfil(())
    }
  }
}
