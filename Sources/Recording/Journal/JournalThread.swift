package import HoldfastMediaModel
package import HoldfastPlatform

/// Writes a journal on a thread of its own.
package final class JournalThread: Sendable {
  let writer: Locked<JournalWriter>
  private let thread: WriterThread<JournalRecord>
  private let timeout: MediaTime
  private let report: @Sendable (JournalError) -> Void

  package init(
    _ writer: consuming JournalWriter, timeout: MediaTime = .milliseconds(250),
    report: @escaping @Sendable (JournalError) -> Void
  ) throws(SystemError) {
    let writer = Locked(writer)
    self.writer = writer
    self.timeout = timeout
    self.report = report
    thread = try WriterThread(name: "journal", capacity: 1024) { record in
      do throws(JournalError) {
        try writer.withLock { (writer) throws(JournalError) in
          try writer.write(record.entry, at: record.instant)
        }
      } catch {
        report(error)
      }
    }
  }

  /// Queues an entry; blocks until a transition is on disk, but not longer than the timeout.
  package func write(_ entry: JournalEntry, at instant: JournalInstant = .now()) {
    switch thread.write(JournalRecord(at: instant, entry), waiting: entry.isTransition ? timeout : nil) {
    case .queued, .written: break
    case .late:
      report(
        JournalError(.slow, "the journal's disk is slow", hint: "entries are written late; check the disk"))
    case .dropped:
      report(JournalError(.slow, "the journal's queue is full", hint: "an entry is missing; check the disk"))
    }
  }

  /// Writes what is queued and closes the file. No more entries are accepted.
  package func finish() { thread.finish() }
}
