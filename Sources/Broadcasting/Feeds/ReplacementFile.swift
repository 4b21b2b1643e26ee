import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// A file that replaces another source, kept in sync with the same file in the other track.
final class ReplacementFile: Sendable {
  let path: String
  private let clock: FileClock
  private let isOpened = Locked(false)

  /// The lead beyond which a second track can't catch up in time.
  private static let maxLead = MediaTime.seconds(10)

  /// Shares the clock of `other` if that is the same file, and recently started.
  init(_ path: String, beside other: ReplacementFile?) {
    self.path = path
    if let other, other.path == path, other.clock.age(at: .now) < Self.maxLead {
      clock = other.clock
    } else {
      clock = FileClock()
    }
  }

  /// The shared clock for the first opening, a new one for each reopening.
  func nextClock() -> FileClock {
    let isFirst = isOpened.withLock { isOpened in
      defer { isOpened = true }
      return !isOpened
    }
    return isFirst ? clock : FileClock()
  }
}
