/// What a client asks: a whole request, within the limits.
public struct ControlRequest: Hashable, Sendable {
  public let method: String
  /// As it was sent, without the query: nothing in it is unescaped.
  public let path: String
  public let body: [UInt8]

  public init(method: String, path: String, body: [UInt8] = []) {
    self.method = method
    self.path = path
    self.body = body
  }
}
