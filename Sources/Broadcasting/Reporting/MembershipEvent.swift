package import HoldfastMediaModel

/// What happened to the box as the member of a session, in the words of whoever keeps it one.
package struct MembershipEvent: Hashable, Sendable {
  /// Of the event line, a stable interface.
  package let name: String
  package let fields: [JSONValue.Field]
  /// For people; nil if there is nothing to show.
  package let text: String?
  package let importance: LinePriority

  package init(name: String, fields: [JSONValue.Field], text: String?, importance: LinePriority) {
    self.name = name
    self.fields = fields
    self.text = text
    self.importance = importance
  }
}
