package import HoldfastMediaModel
package import HoldfastPlatform

/// Writes a journal on a thread of its own, so that a disk that hangs holds up a broadcast for a short time only.
///
/// `write` waits for a transition to be on the disk, but only for so long: the broadcast is worth more than its journal.
package final class JournalThread: Sendable {
  private struct Item: Sendable {
    let record: JournalRecord
    /// Fulfilled when the record is written.
    let done: Promise<Void>?
  }

  let writer: Locked<JournalWriter>
  private let queue = BoundedQueue<Item>(capacity: 1024)
  /// The disk has not finished the last entry in time: nobody waits for the next one.
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

  /// Returns when a transition is on the disk; another entry is on its way there.
  package func write(_ entry: JournalEntry, at instant: JournalInstant = .now()) {
    let done = entry.isTransition && !isLate.withLock({ $0 }) ? Promise<Void>() : nil
    guard queue.offer(Item(record: JournalRecord(at: instant, entry), done: done)) else {
      return report(
        JournalError(.slow, "the journal is far behind", hint: "an entry is missing; see to the disk"))
    }
    guard let done, done.take(until: .now + timeout) == nil else { return }
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
      item.done?.fulfil(())
    }
  }
}
