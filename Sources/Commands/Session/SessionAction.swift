import HoldfastMediaModel
import HoldfastSession

/// What `holdfast session` is asked to do; members are as they were typed.
enum SessionAction: Hashable, Sendable {
  case status, members, events
  /// A command that names no other member.
  case command(Session.Command)
  case member(MemberCommand, MemberReference)
  case setPassword
  case liftPassword
  /// Addresses, or references to them.
  case live([String])

  /// A command with the member that it is about.
  enum MemberCommand: Hashable, Sendable {
    case rename(Session.DisplayName)
    case host, manager, revoke, remove, readmit
    case mute(Set<TrackKind>)
    case unmute(Set<TrackKind>)

    func command(_ id: Session.Member.ID) -> Session.Command {
      switch self {
      case .rename(let name): .rename(id, name)
      case .host: .host(id)
      case .manager: .manager(id)
      case .revoke: .revoke(id)
      case .remove: .remove(id)
      case .readmit: .readmit(id)
      case .mute(let tracks): .mute(id, tracks)
      case .unmute(let tracks): .unmute(id, tracks)
      }
    }
  }

  /// Only shows something.
  var isQuery: Bool {
    switch self {
    case .status, .members, .events: true
    case .command, .member, .setPassword, .liftPassword, .live: false
    }
  }
}
