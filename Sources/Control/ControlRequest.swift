/// What a client asks: a whole request, within the limits and the rules.
public struct ControlRequest: Hashable, Sendable {
  public let method: String
  /// As it was sent, without the query: nothing in it is unescaped.
  public let path: String
  public var query: ControlQuery = [:]
  public var peer = ControlPeer.local
  public var host: String?
  public var origin: String?
  public var contentType: String?
  /// The token that was sent; empty where something else was sent in its place.
  public var bearer: String?
  /// Where a reader of events wants to go on.
  public var lastEventID: String?
  public var body: [UInt8]

  public init(method: String, path: String, body: [UInt8] = []) {
    self.method = method
    self.path = path
    self.body = body
  }
}
