import HoldfastMediaModel
package import HoldfastPlatform

/// Keeps the user's last word on being off air, on a thread of its own, so that a hanging disk blocks only briefly.
package final class OffAirKeeper: Sendable {
  private let folder: JournalFolder
  private let queue = BoundedQueue<(LastWord, Promise<Void>)>(capacity: 64)
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

  /// Blocks until the word is on disk, but not longer than the time limit.
  package func keep(_ word: LastWord) {
    let done = Promise<Void>()
    if queue.offer((word, done)) { _ = done.take(until: .now + Self.timeout) }
  }

  package func finish() {
    queue.close()
    thread.join()
  }

  private func run() {
    while let (word, done) = queue.take() {
      do throws(JournalError) { try folder.keep(word) } catch { report(error) }
      done.fulfil(())
    }
  }
}
