/// What a client asks: a whole request, within the limits and the rules.
package struct ControlRequest: Hashable, Sendable {
  package let method: String
  /// As it was sent, without the query: nothing in it is unescaped.
  package let path: String
  package var query: ControlQuery = [:]
  package var peer = ControlPeer.local
  package var host: String?
  package var origin: String?
  package var contentType: String?
  /// The token that was sent; empty where something else was sent in its place.
  package var bearer: String?
  /// Where a reader of events wants to go on.
  package var lastEventID: String?
  package var body: [UInt8]

  package init(method: String, path: String, body: [UInt8] = []) {
    self.method = method
    self.path = path
    self.body = body
  }
}
