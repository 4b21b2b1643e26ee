import HoldfastMediaModel
package import HoldfastMembership
import HoldfastSession

/// Something that happened in a session. All members see the same events in the same order.
public struct SessionEvent: Hashable, Sendable, CustomStringConvertible {
  /// The kind of event; members are named by their ids. Later versions may add cases, so a `switch` needs a `default`.
  public enum Kind: Hashable, Sendable {
    /// How it is with the member whose events these are.
    case membership(SessionMember.State)
    /// The session as it is: after each join, and after events were missed.
    case state(SessionState)
    /// `returned` if the session knew the member already.
    case joined(String, name: String, SessionState.Member.Kind, returned: Bool)
    case left(String, Departure)
    case renamed(String, to: String)
    /// Nil while nobody may be host.
    case hostChanged(String?, HostChange)
    case managerMade(String)
    case managerRevoked(String)
    case removed(String)
    case readmitted(String)
    case muted(String, Set<TrackKind>, by: MutedBy)
    case unmuted(String, Set<TrackKind>, by: MutedBy)
    case unmuteAsked(String, Set<TrackKind>)
    case unmuteDeclined(String)
    case locked
    case unlocked
    case screensLocked
    case screensUnlocked
    case passwordChanged(isSet: Bool)
    case timer(TimerState, endsAt: WallTime?)
    case ready(String)
    /// A custom event; nil by somebody who has not joined. `data` is JSON.
    case event(from: String?, name: String, data: String)
    case condition(String, SessionState.Member.Condition)
    /// What a member does not have at all.
    case lacking(String, Set<TrackKind>)
    /// What a member says is muted at its sources.
    case reportedMuted(String, Set<TrackKind>)
    case silent(String, Bool)
    case sharesScreen(String, Bool)
    /// Whether a member publishes small pictures, too.
    case givesSmall(String, Bool)
    case onAir(ProgrammeState, reason: String?)
    case ended(Ending)
    /// Of a newer hub; `data` is JSON.
    case other(name: String, data: String)
  }

  /// Why a member is gone.
  public enum Departure: String, Hashable, Sendable, CaseIterable {
    case left, removed
    /// Nothing was heard of it.
    case expired
  }

  /// Why somebody became host.
  public enum HostChange: String, Hashable, Sendable, CaseIterable {
    case first, person, transferred, away, left, reclaimed, proven
  }

  /// Who muted a member.
  public enum MutedBy: String, Hashable, Sendable, CaseIterable {
    case oneself = "self"
    case others
  }

  /// What is reported of a session's time.
  public enum TimerState: String, Hashable, Sendable, CaseIterable {
    case running, limited, extended, alert, countdown, over
  }

  /// The state of a session's programme.
  public enum ProgrammeState: String, Hashable, Sendable, CaseIterable {
    case waiting, connecting, live, trouble, over
  }

  /// Why a session is over.
  public enum Ending: String, Hashable, Sendable, CaseIterable {
    case ended, time
    /// Nobody was there for five minutes.
    case empty
  }

  public let kind: Kind
  /// The place in the order of all events, `epoch-sequence`; nil for what is the member's own.
  public let id: String?

  /// Creates an event for the test of code that receives events.
  public init(_ kind: Kind, id: String? = nil) {
    self.kind = kind
    self.id = id
  }

  /// The event's place and kind.
  public var description: String { (id.map { "\($0) " } ?? "") + "\(kind)" }
}

// MARK: - As hubs write it

extension SessionEvent.Kind {
  package init(_ event: HubEvent) {
    self = .other(name: event.name, data: event.data.description)
    if case .session(let event) = event.kind, let known = Self(event) { self = known }
  }

  /// Nil for the speaker and the stage, which only programmes need.
  private init?(_ event: Session.Event) {
    switch event {
    case .joined(let id, let name, let kind, _, let returned):
      self = .joined(id.text, name: name.text, .init(as: kind), returned: returned)
    case .left(let id, let why, _): self = .left(id.text, .init(as: why))
    case .renamed(let id, let name): self = .renamed(id.text, to: name.text)
    case .hostChanged(let id, let why): self = .hostChanged(id?.text, .init(as: why))
    case .managerMade(let id): self = .managerMade(id.text)
    case .managerRevoked(let id): self = .managerRevoked(id.text)
    case .removed(let id): self = .removed(id.text)
    case .readmitted(let id): self = .readmitted(id.text)
    case .muted(let id, let tracks, let by): self = .muted(id.text, Set(as: tracks), by: .init(as: by))
    case .unmuted(let id, let tracks, let by): self = .unmuted(id.text, Set(as: tracks), by: .init(as: by))
    case .unmuteAsked(let id, let tracks): self = .unmuteAsked(id.text, Set(as: tracks))
    case .unmuteDeclined(let id): self = .unmuteDeclined(id.text)
    case .locked: self = .locked
    case .unlocked: self = .unlocked
    case .screensLocked: self = .screensLocked
    case .screensUnlocked: self = .screensUnlocked
    case .passwordChanged(let isSet): self = .passwordChanged(isSet: isSet)
    case .timer(let report):
      self = .timer(.init(as: report.state), endsAt: report.endsAt.map { WallTime(inner: $0) })
    case .ready(let id): self = .ready(id.text)
    case .event(let id, let event):
      self = .event(from: id?.text, name: event.name, data: event.data.description)
    case .reported(let id, .condition(let condition)): self = .condition(id.text, .init(as: condition))
    case .reported(let id, .lacking(let tracks)): self = .lacking(id.text, Set(as: tracks))
    case .reported(let id, .muted(let tracks)): self = .reportedMuted(id.text, Set(as: tracks))
    case .reported(let id, .silent(let isSilent)): self = .silent(id.text, isSilent)
    case .reported(let id, .sharesScreen(let shares)): self = .sharesScreen(id.text, shares)
    case .reported(let id, .givesSmall(let gives)): self = .givesSmall(id.text, gives)
    case .onAir(_, let state, let reason): self = .onAir(.init(as: state), reason: reason)
    case .ended(let why): self = .ended(.init(as: why))
    case .speaker, .stage: return nil
    }
  }
}
