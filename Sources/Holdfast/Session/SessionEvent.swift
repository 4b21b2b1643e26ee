package import HoldfastMediaModel
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
  /// An event by its name and its fields.
  package init(_ name: String, _ data: JSONValue) {
    self = Self.known(name, data) ?? .other(name: name, data: data.description)
  }

  private static func known(_ name: String, _ data: JSONValue) -> Self? {
    switch name {
    case "locked": return .locked
    case "unlocked": return .unlocked
    case "screensLocked": return .screensLocked
    case "screensUnlocked": return .screensUnlocked
    case "passwordChanged": return data.field("isSet")?.flag.map { .passwordChanged(isSet: $0) }
    case "timer":
      return data.field("state")?.word(SessionEvent.TimerState.self).map {
        .timer($0, endsAt: data.field("endsAt")?.wallTime)
      }
    case "onAir":
      return data.field("state")?.word(SessionEvent.ProgrammeState.self).map {
        .onAir($0, reason: data.field("reason")?.text)
      }
    case "ended": return data.field("why")?.word(SessionEvent.Ending.self).map { .ended($0) }
    case "hostChanged":
      return data.field("why")?.word(SessionEvent.HostChange.self).map {
        .hostChanged(data.field("member")?.text, $0)
      }
    case "event":
      return data.field("name")?.text.map {
        .event(from: data.field("member")?.text, name: $0, data: (data.field("data") ?? .null).description)
      }
    default: return data.field("member")?.text.flatMap { of($0, name, data) }
    }
  }

  /// An event of one member.
  private static func of(_ member: String, _ name: String, _ data: JSONValue) -> Self? {
    switch name {
    case "joined":
      guard let kind = data.field("kind")?.word(SessionState.Member.Kind.self) else { return nil }
      return .joined(
        member, name: data.field("name")?.text ?? "", kind, returned: data.field("returned")?.flag ?? false)
    case "left": return data.field("why")?.word(SessionEvent.Departure.self).map { .left(member, $0) }
    case "renamed": return data.field("name")?.text.map { .renamed(member, to: $0) }
    case "managerMade": return .managerMade(member)
    case "managerRevoked": return .managerRevoked(member)
    case "removed": return .removed(member)
    case "readmitted": return .readmitted(member)
    case "muted", "unmuted":
      guard let by = data.field("by")?.word(SessionEvent.MutedBy.self) else { return nil }
      let tracks = data.trackKinds("tracks")
      return name == "muted" ? .muted(member, tracks, by: by) : .unmuted(member, tracks, by: by)
    case "unmuteAsked": return .unmuteAsked(member, data.trackKinds("tracks"))
    case "unmuteDeclined": return .unmuteDeclined(member)
    case "ready": return .ready(member)
    case "reported": return reported(member, data)
    default: return nil
    }
  }

  private static func reported(_ member: String, _ data: JSONValue) -> Self? {
    if let condition = data.field("state")?.word(SessionState.Member.Condition.self) {
      return .condition(member, condition)
    }
    if let isSilent = data.field("silent")?.flag { return .silent(member, isSilent) }
    if let shares = data.field("sharesScreen")?.flag { return .sharesScreen(member, shares) }
    if let gives = data.field("small")?.flag { return .givesSmall(member, gives) }
    if data.field("lacks") != nil { return .lacking(member, data.trackKinds("lacks")) }
    return data.field("muted") == nil ? nil : .reportedMuted(member, data.trackKinds("muted"))
  }
}
