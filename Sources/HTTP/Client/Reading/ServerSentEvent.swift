package struct ServerSentEvent: Hashable, Sendable {
  /// The event's own; nil without one.
  package let id: String?
  package let name: String
  package let data: String

  package init(id: String?, name: String, data: String) {
    self.id = id
    self.name = name
    self.data = data
  }
}
