public import MediaModel

/// What a broadcast has answered.
public struct ControlAnswer: Hashable, Sendable {
  public let status: Int
  public let body: [UInt8]

  public init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }

  public var isFine: Bool { (200...299).contains(status) }
  public var text: String { String(decoding: body, as: UTF8.self) }
  /// Nil where the body is no JSON.
  public var json: JSONValue? { try? JSONValue(reading: body.span) }
  /// Why it was refused, where it was.
  public var error: ControlError? { json.flatMap(ControlError.init) }
}
