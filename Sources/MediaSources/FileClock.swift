package import HoldfastMediaModel
import HoldfastPlatform

/// The start time of a file's playback, shared by its video and audio.
package final class FileClock: Sendable {
  private let start = Locked<MonotonicTime?>(nil)

  private let isCopied: Bool

  package init(isCopied: Bool = false) { self.isCopied = isCopied }

  /// Time for both tracks to start before the first frame is due. Packets that are copied may be reordered, so that the
  /// first is due before the start.
  private var lead: MediaTime { .milliseconds(isCopied ? 200 : 50) }

  /// The clock of another playback of the same kind.
  package func restarted() -> FileClock { FileClock(isCopied: isCopied) }

  package var hasBegun: Bool { start.withLock { $0 != nil } }

  /// The playback time; 0 before the start.
  package func age(at now: MonotonicTime) -> MediaTime { max(.zero, now - (start.withLock { $0 } ?? now)) }

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
