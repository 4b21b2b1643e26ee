import HoldfastMediaModel

/// One of the two JSON objects of a token, without duplicate fields.
struct Claims: Sendable {
  private let fields: [String: JSONValue]

  private static let seconds: ClosedRange<Int64> = 0...9_000_000_000

  /// `what` names the part in errors.
  init(part: some Sequence<UInt8>, _ what: String) throws(TokenError) {
    guard let bytes = Base64URL.bytes(of: part) else { throw .malformed("the \(what) is not base64url") }
    guard case .object(let list) = try? JSONValue(reading: bytes.span) else {
      throw .malformed("the \(what) is not a JSON object")
    }
    var fields: [String: JSONValue] = [:]
    for field in list {
      // Readers differ in which duplicate they take.
      guard fields.updateValue(field.value, forKey: field.key) == nil else {
        throw .malformed("the \(what) has a duplicate field")
      }
    }
    self.fields = fields
  }

  func has(_ name: String) -> Bool { fields[name] != nil }

  func text(_ name: String) throws(TokenError) -> String {
    guard case .text(let text) = fields[name] else { throw .malformed("\(name) is not a string") }
    return text
  }

  func instant(_ name: String) throws(TokenError) -> WallTime {
    guard case .integer(let seconds) = fields[name], Self.seconds.contains(seconds) else {
      throw .malformed("\(name) is not a whole number of seconds")
    }
    return WallTime(nanoseconds: seconds * 1_000_000_000)
  }
}
