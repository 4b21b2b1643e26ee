package import HoldfastMediaModel

/// What a start is to do about an unfinished broadcast, as `--after-crash` says it.
package enum AfterCrash: String, Hashable, Sendable, CaseIterable {
  /// Always a new broadcast.
  case new
  /// Always the old one, however long ago.
  case resume
  /// The old one inside the resume window, else a new one.
  case withinWindow = "within-window"
}

/// What a start does about the broadcasts before it.
package enum Recovery {
  /// What becomes of all that is `unfinished`, the latest first. Only the latest is resumed, and not behind another
  /// broadcast that has ended since.
  package static func plan(
    _ unfinished: [UnfinishedBroadcast], ends: [JournalInstant], now: JournalInstant, window: MediaTime,
    policy: AfterCrash
  ) -> (resumed: UnfinishedBroadcast?, finished: [UnfinishedBroadcast]) {
    guard let latest = unfinished.first, latest.isResumed(at: now, window: window, policy: policy),
      !ends.contains(where: { latest.lastSign.isEarlier(than: $0, boot: now.bootID) })
    else { return (nil, unfinished) }
    return (latest, Array(unfinished.dropFirst()))
  }
}

extension UnfinishedBroadcast {
  package static func latestFirst(_ all: [UnfinishedBroadcast], boot: String?) -> [UnfinishedBroadcast] {
    all.sorted { $1.lastSign.isEarlier(than: $0.lastSign, boot: boot) }
  }

  fileprivate func isResumed(at now: JournalInstant, window: MediaTime, policy: AfterCrash) -> Bool {
    guard !isBackgrounded else { return false }
    return switch policy {
    case .new: false
    case .resume: true
    case .withinWindow: isInside(window, at: now)
    }
  }

  /// Whether less than `window` has gone by since the last sign of life, or since the interruption that it was in began:
  /// a window that was open when the process died goes on closing.
  ///
  /// A clock that has gone back across a reboot says nothing, so the answer is no: two recordings of one event can be
  /// joined, but two events in one recording are hard to part.
  func isInside(_ window: MediaTime, at now: JournalInstant) -> Bool {
    let start = interruption?.from ?? lastSign
    guard let elapsed = start.elapsed(until: now) else { return false }
    return elapsed < window
  }
}

extension JournalInstant {
  /// What happened since the machine was booted is the latest, by a clock that nobody sets.
  fileprivate func isEarlier(than other: JournalInstant, boot: String?) -> Bool {
    switch (bootID == boot, other.bootID == boot) {
    case (true, true): sinceBoot < other.sinceBoot
    case (false, false): wall < other.wall
    case (false, true): true
    case (true, false): false
    }
  }
}
