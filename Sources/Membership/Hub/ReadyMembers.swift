import HoldfastMediaModel
import HoldfastSession

/// Who else in the session has said ready.
struct ReadyMembers: Hashable {
  private(set) var ids: Set<Session.Member.ID> = []

  var count: Int { ids.count }

  /// By the session's whole state. One without members says nothing.
  mutating func reset(by state: JSONValue, without own: Session.Member.ID) {
    guard let members = state.field("members")?.elements else { return }
    ids = Set(members.filter { $0.field("ready")?.flag == true }.compactMap { $0.field("id")?.memberID })
    ids.remove(own)
  }

  mutating func follow(_ event: HubEvent.Kind, without own: Session.Member.ID) {
    switch event {
    case .session(.ready(let id)): if id != own { ids.insert(id) }
    // Who joins again says it again.
    case .session(.joined(let id, _, _, _, _)), .session(.left(let id, _, _)), .session(.removed(let id)),
      .came(let id, _), .went(let id):
      ids.remove(id)
    case .session, .reset, .bye, .failed, .other: break
    }
  }

  mutating func clear() { ids = [] }
}
