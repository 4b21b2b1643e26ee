internal import HoldfastMediaModel

/// One of the two JSON objects in a token: each field stands there once.
struct Claims: Sendable {
  private let fields: [String: JSONValue]

  /// Seconds since 1970 that an instant of ours can hold.
  private static let seconds: ClosedRange<Int64> = 0...9_000_000_000

  /// `what` is for what is said when the part can't be read.
  init(part: some Sequence<UInt8>, _ what: String) throws(TokenError) {
    guard let bytes = Base64URL.bytes(of: part) else { throw .malformed("its \(what) is not base64url") }
    guard case .object(let list) = try? JSONValue(reading: bytes.span) else {
      throw .malformed("its \(what) is no JSON object")
    }
    var fields: [String: JSONValue] = [:]
    for field in list {
      // Readers differ in which of two they take.
      guard fields.updateValue(field.value, forKey: field.key) == nil else {
        throw .malformed("its \(what) has a field twice")
      }
    }
    self.fields = fields
  }

  func has(_ name: String) -> Bool { fields[name] != nil }

  func text(_ name: String) throws(TokenError) -> String {
    guard case .text(let text) = fields[name] else { throw .malformed("it has no text \(name)") }
    return text
  }

  /// A whole number of seconds since 1970.
  func instant(_ name: String) throws(TokenError) -> WallTime {
    guard case .integer(let seconds) = fields[name], Self.seconds.contains(seconds) else {
      throw .malformed("it has no whole number of seconds \(name)")
    }
    return WallTime(nanoseconds: seconds * 1_000_000_000)
  }
}
