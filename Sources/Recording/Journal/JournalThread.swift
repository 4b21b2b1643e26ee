package import HoldfastMediaModel
package import HoldfastPlatform

/// Writes a journal on a thread of its own, so that a disk that hangs holds up a broadcast for a short time only.
///
/// Whoever writes a transition waits until it is on the disk, or his patience is over: the broadcast is worth more than
/// its journal.
package final class JournalThread: Sendable {
  private struct Item: Sendable {
    let record: JournalRecord
    /// Gets an element when the record is written.
    let done: BoundedQueue<Bool>?
  }

  let writer: Locked<JournalWriter>
  private let queue = BoundedQueue<Item>(capacity: 1024)
  /// The disk has not come back from what it was given: nobody waits for it a second time.
  private let isLate = Locked(false)
  private let thread = ThreadSlot()
  private let patience: MediaTime
  private let report: @Sendable (JournalError) -> Void

  package init(
    _ writer: consuming JournalWriter, patience: MediaTime = .milliseconds(250),
    report: @escaping @Sendable (JournalError) -> Void
  ) throws(SystemError) {
    self.writer = Locked(writer)
    self.patience = patience
    self.report = report
    try thread.start(name: "journal") { [self] in run() }
  }

  /// Returns when a transition is on the disk; another entry is on its way there.
  package func write(_ entry: JournalEntry, at instant: JournalInstant = .now()) {
    let done = entry.isTransition && !isLate.withLock({ $0 }) ? BoundedQueue<Bool>(capacity: 1) : nil
    guard queue.offer(Item(record: JournalRecord(at: instant, entry), done: done)) else {
      return report(
        JournalError(.slow, "the journal is far behind", hint: "an entry is missing; see to the disk"))
    }
    guard let done, done.take(until: .now + patience) == nil else { return }
    isLate.withLock { $0 = true }
    report(
      JournalError(
        .slow, "the journal's disk is slow", hint: "entries are written when it can; see to the disk"))
  }

  /// Writes what is left, and closes the file. Nothing can be written from then on.
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
      _ = item.done?.offer(true)
    }
  }
}
