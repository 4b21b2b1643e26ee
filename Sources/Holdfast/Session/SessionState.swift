package import HoldfastMediaModel
import HoldfastSession

/// A session of several boxes and people, as its members see it.
public struct SessionState: Hashable, Sendable {
  /// What a member is allowed to do.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    case host, manager, participant
  }

  /// The session's name.
  public var name: String
  /// The id of the host; nil while nobody may be host.
  public var hostID: String?
  /// Whether nobody new may join.
  public var isLocked = false
  /// Whether nobody may share a screen.
  public var screensAreLocked = false
  public var hasPassword = false
  /// Nil without a time limit, and before the first member is live.
  public var endsAt: WallTime?
  /// Who is there, in the order of joining.
  public var members: [Member] = []

  /// Creates an empty session, for the test of code that receives states.
  public init(name: String) { self.name = name }

  /// The member of this id; nil if it is not there.
  public subscript(id: String) -> Member? { members.first { $0.id == id } }

  /// Somebody who is in the session.
  public struct Member: Hashable, Sendable {
    /// What a member is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      case box, person
      /// Composes the session's programme; not shown to viewers.
      case programme
    }

    /// The state of a member's own broadcast.
    public enum Condition: String, Hashable, Sendable, CaseIterable {
      case idle, previewing, starting, live, interrupted, backgrounded, ending, ended
    }

    /// 16 letters and digits; commands name members by it.
    public var id: String
    public var name: String
    public var kind: Kind
    public var role: Role
    public var condition = Condition.idle
    /// Whether nothing has been heard of the member for a while.
    public var isSilent = false
    /// What the member does not have at all.
    public var lacking: Set<TrackKind> = []
    /// What the member has muted itself.
    public var mutedBySelf: Set<TrackKind> = []
    /// What the host and managers have muted. A track may be in both.
    public var mutedByOthers: Set<TrackKind> = []
    /// What the member says is muted at its sources now.
    public var reportedMuted: Set<TrackKind> = []
    /// What the member is asked to unmute.
    public var unmuteAsked: Set<TrackKind> = []
    public var isReady = false
    public var sharesScreen = false
    /// Whether the member publishes small pictures, too.
    public var givesSmall = false

    /// Creates a member, for the test of code that receives states.
    public init(id: String, name: String, kind: Kind = .person, role: Role = .participant) {
      (self.id, self.name, self.kind, self.role) = (id, name, kind, role)
    }

    /// What is muted, by whomever.
    public var muted: Set<TrackKind> { mutedBySelf.union(mutedByOthers) }
  }
}

// MARK: - As hubs write it

extension SessionState {
  /// Nil if it is not a session's state.
  package init?(_ json: JSONValue) {
    guard let name = json.field("name")?.text, let members = json.field("members")?.elements else {
      return nil
    }
    self.init(name: name)
    hostID = json.field("host")?.text
    isLocked = json.field("locked")?.flag ?? false
    screensAreLocked = json.field("screensLocked")?.flag ?? false
    hasPassword = json.field("hasPassword")?.flag ?? false
    endsAt = json.field("timer")?.field("endsAt")?.wallTime
    self.members = members.compactMap(Member.init)
  }
}

extension SessionState.Member {
  fileprivate init?(_ json: JSONValue) {
    guard let id = json.field("id")?.text, let name = json.field("name")?.text,
      let kind = json.field("kind")?.word(Kind.self),
      let role = json.field("role")?.word(SessionState.Role.self)
    else { return nil }
    self.init(id: id, name: name, kind: kind, role: role)
    condition = json.field("state")?.word(Condition.self) ?? .idle
    isSilent = json.field("silent")?.flag ?? false
    lacking = json.trackKinds("lacks")
    mutedBySelf = json.trackKinds("mutedBySelf")
    mutedByOthers = json.trackKinds("mutedByOthers")
    reportedMuted = json.trackKinds("reportedMuted")
    unmuteAsked = json.trackKinds("unmuteAsked")
    isReady = json.field("ready")?.flag ?? false
    sharesScreen = json.field("sharesScreen")?.flag ?? false
    givesSmall = json.field("small")?.flag ?? false
  }
}

extension Set<TrackKind> {
  init(as tracks: Set<HoldfastMediaModel.TrackKind>) { self.init(tracks.map { TrackKind(as: $0) }) }
}

extension JSONValue {
  /// Empty where it is missing.
  fileprivate func trackKinds(_ key: String) -> Set<TrackKind> { Set(as: field(key)?.tracks ?? []) }

  fileprivate var wallTime: WallTime? {
    text.flatMap { HoldfastMediaModel.WallTime(rfc3339: $0) }.map { WallTime(inner: $0) }
  }
}
