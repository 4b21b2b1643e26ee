internal import MediaModel

/// What a client is answered.
public struct ControlResponse: Hashable, Sendable {
  public let status: Int
  public let contentType: String
  public let body: [UInt8]
  /// For 405: the methods that there are.
  public let allowed: [String]

  public init(status: Int, contentType: String, body: [UInt8], allowed: [String] = []) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.allowed = allowed
  }

  public static func json(_ text: String, status: Int = 200) -> ControlResponse {
    ControlResponse(status: status, contentType: "application/json", body: Array((text + "\n").utf8))
  }

  public static func refusal(_ status: Int, _ error: ControlError, allowed: [String] = []) -> ControlResponse
  {
    ControlResponse(
      status: status, contentType: "application/json", body: Array((error.json.description + "\n").utf8),
      allowed: allowed)
  }
}
