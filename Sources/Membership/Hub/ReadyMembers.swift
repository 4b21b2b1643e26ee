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

  mutating func follow(_ event: Session.Event, without own: Session.Member.ID) {
    if case .ready(let id) = event, id != own { ids.insert(id) }
    // Who joins again says it again.
    if case .joined(let id, _, _, _, _) = event { ids.remove(id) }
    if case .left(let id, _, _) = event { ids.remove(id) }
    if case .removed(let id) = event { ids.remove(id) }
  }

  mutating func clear() { ids = [] }
}
