package import HoldfastMediaModel

/// What a broadcast has answered.
package struct ControlAnswer: Hashable, Sendable {
  package let status: Int
  package let body: [UInt8]

  package init(status: Int, body: [UInt8]) {
    self.status = status
    self.body = body
  }

  package var isFine: Bool { (200...299).contains(status) }
  package var text: String { String(decoding: body, as: UTF8.self) }
  /// Nil where the body is no JSON.
  package var json: JSONValue? { try? JSONValue(reading: body.span) }
  /// Why it was refused, where it was.
  package var error: ControlError? { json.flatMap(ControlError.init) }
}
