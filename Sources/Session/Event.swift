import HoldfastLifecycle
package import HoldfastMediaModel

extension Session {
  /// What has happened, in the order in which all see it.
  package enum Event: Hashable, Sendable {
    /// `returned` if the session knew the member already. The lease is nil only in an event that was read from a stream.
    case joined(Member.ID, DisplayName, Member.Kind, Lease?, returned: Bool)
    case left(Member.ID, Departure, Lease?)
    case renamed(Member.ID, DisplayName)
    /// Nil where nobody may be host for the moment.
    case hostChanged(Member.ID?, HostChange)
    case managerMade(Member.ID)
    case managerRevoked(Member.ID)
    case removed(Member.ID)
    case readmitted(Member.ID)
    case muted(Member.ID, Set<TrackKind>, MutedBy)
    case unmuted(Member.ID, Set<TrackKind>, MutedBy)
    case unmuteAsked(Member.ID, Set<TrackKind>)
    case unmuteDeclined(Member.ID)
    case locked, unlocked
    case screensLocked, screensUnlocked
    /// Whether there is one now.
    case passwordChanged(Bool)
    case timer(TimerReport)
    case ready(Member.ID)
    /// Nil by somebody who has not joined.
    case event(Member.ID?, CustomEvent)
    case reported(Member.ID, Change)
    /// Nil where who has spoken is gone or muted.
    case speaker(Member.ID?)
    /// The grids that changed.
    case stage([Stage.Shown])
    case onAir(job: String, Job.State, reason: String?)
    case ended(EndReason)
  }

  package enum MutedBy: String, Hashable, Sendable, CaseIterable {
    case oneself = "self"
    case others
  }

  /// Why somebody became host. The raw values appear in events, a stable interface.
  package enum HostChange: String, Hashable, Sendable, CaseIterable {
    /// There was none.
    case first
    /// The first person came, and a box had stood in.
    case person
    case transferred
    /// The host was away.
    case away
    /// The host left.
    case left
    case reclaimed
    /// Proven after the store had forgotten it.
    case proven
  }

  /// A part of a member's state that is new.
  package enum Change: Hashable, Sendable {
    case condition(Member.Condition)
    /// What it does not have at all.
    case lacking(Set<TrackKind>)
    /// What the member says it has muted.
    case muted(Set<TrackKind>)
    case silent(Bool)
    case sharesScreen(Bool)
    /// Whether there is a stream for small tiles.
    case givesSmall(Bool)
  }

  package struct TimerReport: Hashable, Sendable {
    package let state: TimerState
    package let startedAt: WallTime?
    package let endsAt: WallTime?
    package let left: MediaTime?
  }

  /// What is reported of the time. The raw values appear in events, a stable interface.
  package enum TimerState: String, Hashable, Sendable, CaseIterable {
    case running
    /// The limit was set or lifted.
    case limited
    case extended, alert, countdown, over

    /// Nil for what a session doesn't do: its time never stands still.
    init?(_ report: SessionTimer.Report) {
      switch report {
      case .running: self = .running
      case .extended: self = .extended
      case .alert: self = .alert
      case .countdown: self = .countdown
      case .over: self = .over
      case .paused: return nil
      }
    }
  }

  /// Why a session is over. The raw values appear in events, a stable interface.
  package enum EndReason: String, Hashable, Sendable, CaseIterable {
    case ended, time
    /// Nobody was there for five minutes. It ends no broadcast; whoever comes back joins or creates anew.
    case empty
  }
}

/// The place of an event in the order that all see, `epoch-sequence`.
package struct EventID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let epoch: UInt64
  package let sequence: UInt64

  package init(epoch: UInt64, sequence: UInt64) {
    self.epoch = epoch
    self.sequence = sequence
  }

  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UInt64(parts[0]), let sequence = UInt64(parts[1]) else { return nil }
    self.init(epoch: epoch, sequence: sequence)
  }

  package var description: String { "\(epoch)-\(sequence)" }

  package static func < (left: EventID, right: EventID) -> Bool {
    (left.epoch, left.sequence) < (right.epoch, right.sequence)
  }
}
