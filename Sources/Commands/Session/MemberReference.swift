import HoldfastMediaModel
import HoldfastSession

/// A member as a person names it: by its id, or by its display name if only one member has that.
struct MemberReference: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  /// Looks among the members of a session's state, also those who are away, and among the removed for `readmit`.
  func find(in state: JSONValue, among lists: [String]) throws(Refusal) -> Session.Member.ID {
    let known = lists.flatMap { list in (state.field(list)?.elements ?? []).map { ($0, list) } }
    for (member, _) in known where member.field("id")?.text == text {
      if let id = Session.Member.ID(text) { return id }
    }
    let folded = Session.Name.fold(text)
    let named = known.filter { $0.0.field("name")?.text.map(Session.Name.fold) == folded }
    let subject = "session member \(shown(text))"
    if named.count > 1 {
      let candidates = named.map {
        "\($0.0.field("id")?.text.map(shown) ?? "?") (\(Self.description($0.0, $0.1)))"
      }
      throw Refusal(
        .usage, subject, "\(named.count) members have this name",
        "use an id: \(candidates.joined(separator: ", "))")
    }
    guard let id = named.first?.0.field("id")?.text.flatMap({ Session.Member.ID($0) }) else {
      let names = known.compactMap { $0.0.field("name")?.text }
      let nearest = NearestMatch.find(text, among: names)
      throw Refusal(
        .usage, subject, lists == ["removed"] ? "no such member was removed" : "there is no such member",
        nearest.map { "did you mean \(shown($0))?" } ?? "list them with the command members")
    }
    return id
  }

  private static func description(_ member: JSONValue, _ list: String) -> String {
    let words = ["role", "kind", "state"].compactMap { member.field($0)?.text.map(shown) }
    return (words + (list == "members" ? [] : [list])).joined(separator: " ")
  }
}
