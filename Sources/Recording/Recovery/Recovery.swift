package import HoldfastMediaModel

/// What to do about an unfinished broadcast at start (`--after-crash`).
package enum AfterCrash: String, Hashable, Sendable, CaseIterable {
  case new
  case resume
  /// The old one within the resume window, else a new one.
  case withinWindow = "within-window"
}

/// What a start does about what earlier processes have left.
package struct Recovery: Hashable, Sendable {
  package struct Circumstances: Sendable {
    package var now: JournalInstant
    package var window: MediaTime
    package var policy = AfterCrash.withinWindow
    /// A person has just asked for a broadcast, at a terminal.
    package var isTypedAtTerminal = false

    package init(
      now: JournalInstant, window: MediaTime, policy: AfterCrash = .withinWindow,
      isTypedAtTerminal: Bool = false
    ) {
      (self.now, self.window, self.policy, self.isTypedAtTerminal) = (now, window, policy, isTypedAtTerminal)
    }
  }

  /// Resumed as soon as nothing keeps the process off air.
  package private(set) var resumed: UnfinishedBroadcast?
  package private(set) var finished: [UnfinishedBroadcast]
  /// The user took the broadcasts off air, and the process stays so.
  package private(set) var offAir: OffAirRecord?
  /// The process was off air; a new broadcast begins nevertheless.
  package private(set) var overridden: OffAirRecord?

  /// Only the latest of `unfinished`, which come latest first, is resumed, unless another broadcast has ended
  /// since.
  package init(
    _ unfinished: [UnfinishedBroadcast], ends: [JournalInstant] = [], lastWord: LastWord? = nil,
    _ circumstances: Circumstances
  ) {
    let now = circumstances.now
    var record = lastWord?.offAir
    finished = unfinished
    if let latest = unfinished.first, latest.isResumed(circumstances), record?.isBackgrounded != true,
      !ends.contains(where: { latest.lastSign.isEarlier(than: $0, boot: now.bootID) })
    {
      (resumed, finished) = (latest, Array(unfinished.dropFirst()))
    }
    if record == nil, let journaled = unfinished.first?.offAirRecord {
      // The user may have come back without the journal's knowing yet.
      let hasReturned =
        if case .onAir(let since) = lastWord {
          !since.isEarlier(than: journaled.since, boot: now.bootID)
        } else { false }
      if !hasReturned { record = journaled }
    }
    guard let record else { return }
    let isClosed = resumed == nil && record.windowLeft(of: circumstances.window, at: now) == nil
    if circumstances.policy == .new || isClosed && circumstances.isTypedAtTerminal {
      overridden = record
    } else {
      offAir = record
    }
  }
}

extension UnfinishedBroadcast {
  package static func latestFirst(_ all: [UnfinishedBroadcast], boot: String?) -> [UnfinishedBroadcast] {
    all.sorted { $1.lastSign.isEarlier(than: $0.lastSign, boot: boot) }
  }

  fileprivate func isResumed(_ circumstances: Recovery.Circumstances) -> Bool {
    guard !isBackgrounded else { return false }
    return switch circumstances.policy {
    case .new: false
    case .resume: true
    case .withinWindow: isInside(circumstances.window, at: circumstances.now)
    }
  }

  /// Of the user's interruption, if it was the newest. A broadcast that was being closed may have been stopped.
  fileprivate var offAirRecord: OffAirRecord? {
    guard !isBackgrounded, let interruption, interruption.cause == "user" else { return nil }
    return OffAirRecord(isBackgrounded: false, since: interruption.from)
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
