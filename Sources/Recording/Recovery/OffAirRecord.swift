package import HoldfastMediaModel

/// That the user took the broadcasts of a name off air, and since when. It outlives the process, which nothing else
/// may put on air again.
package struct OffAirRecord: Hashable, Sendable {
  /// Otherwise interrupted.
  package let isBackgrounded: Bool
  package let since: JournalInstant

  package init(isBackgrounded: Bool, since: JournalInstant) {
    self.isBackgrounded = isBackgrounded
    self.since = since
  }

  /// What is left of the resume window; nil once it has closed, and in the background.
  package func windowLeft(of window: MediaTime, at now: JournalInstant) -> MediaTime? {
    guard !isBackgrounded, let elapsed = since.elapsed(until: now), elapsed < window else { return nil }
    return window - elapsed
  }
}
