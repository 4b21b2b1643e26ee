package import HoldfastMediaModel

/// What to do about an unfinished broadcast at start (`--after-crash`).
package enum AfterCrash: String, Hashable, Sendable, CaseIterable {
  case new
  case resume
  /// The old one within the resume window, else a new one.
  case withinWindow = "within-window"
}

package enum Recovery {
  /// Splits `unfinished`, latest first. Only the latest is resumed, unless another broadcast has ended
  /// since.
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

  /// Whether less than `window` has passed since the last sign of life, or since the start of an open
  /// interruption.
  ///
  /// False if the clock went back across a reboot: two recordings of one event are easily joined, but two
  /// events in one recording are hard to separate.
  func isInside(_ window: MediaTime, at now: JournalInstant) -> Bool {
    let start = interruption?.from ?? lastSign
    guard let elapsed = start.elapsed(until: now) else { return false }
    return elapsed < window
  }
}

extension JournalInstant {
  /// Instants of the current boot are later than all others and compare by the time since boot.
  fileprivate func isEarlier(than other: JournalInstant, boot: String?) -> Bool {
    switch (bootID == boot, other.bootID == boot) {
    case (true, true): sinceBoot < other.sinceBoot
    case (false, false): wall < other.wall
    case (false, true): true
    case (true, false): false
    }
  }
}
