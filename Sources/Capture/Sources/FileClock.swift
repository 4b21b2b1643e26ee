package import HoldfastMediaModel
import HoldfastPlatform

/// The start time of a file's playback, shared by its video and audio.
package final class FileClock: Sendable {
  private let start = Locked<MonotonicTime?>(nil)

  /// Time for both tracks to start before the first frame is due.
  private let lead: MediaTime

  /// Packets that are copied may be reordered, so that the first is due before the start.
  package init(isCopied: Bool = false) {
    lead = .milliseconds(isCopied ? 200 : 50)
  }

  private init(lead: MediaTime) {
    self.lead = lead
  }

  /// The clock of another playback of the same kind.
  package func restarted() -> FileClock { FileClock(lead: lead) }

  package var hasBegun: Bool { start.withLock { $0 != nil } }

  /// The playback time; 0 before the start.
  package func age(at now: MonotonicTime) -> MediaTime {
    max(.zero, now - (start.withLock { $0 } ?? now))
  }

  /// The start time, set by the first call.
  func begin() -> MonotonicTime {
    let soon = MonotonicTime.now + lead
    return start.withLock { start in
      let begin = start ?? soon
      start = begin
      return begin
    }
  }
}
