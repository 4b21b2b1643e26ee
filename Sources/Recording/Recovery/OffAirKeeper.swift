import HoldfastMediaModel
package import HoldfastPlatform

/// Keeps the record of being off air, on a thread of its own, so that a hanging disk blocks only briefly.
package final class OffAirKeeper: Sendable {
  private let folder: JournalFolder
  private let queue = BoundedQueue<(OffAirRecord?, Promise<Void>)>(capacity: 64)
  private let thread = ThreadSlot()
  private let report: @Sendable (JournalError) -> Void

  private static let timeout = MediaTime.milliseconds(250)

  package init(
    _ folder: JournalFolder, report: @escaping @Sendable (JournalError) -> Void
  ) throws(SystemError) {
    self.folder = folder
    self.report = report
    try thread.start(name: "off-air") { [self] in run() }
  }

  /// Blocks until the record is on disk, but not longer than the time limit.
  package func keep(_ record: OffAirRecord?) {
    let done = Promise<Void>()
    if queue.offer((record, done)) { _ = done.take(until: .now + Self.timeout) }
  }

  package func finish() {
    queue.close()
    thread.join()
  }

  private func run() {
    while let (record, done) = queue.take() {
      do throws(JournalError) { try folder.keep(record) } catch { report(error) }
      done.fulfil(())
    }
  }
}
