package import HoldfastMediaModel

/// Why a request is refused, for programs and people.
package struct APIError: Error, Hashable, Sendable {
  package let status: Int
  /// A word for programs.
  package let code: String
  package let message: String
  package let hint: String?
  package let retryAfter: MediaTime?
  /// The methods of the path, for a request with another method.
  let allowed: [String]
  /// More of the code, for programs: why a session is over.
  package var why: String?

  package init(
    _ status: Int, _ code: String, _ message: String, hint: String? = nil, retryAfter: MediaTime? = nil,
    allowed: [String] = []
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
    self.retryAfter = retryAfter
    self.allowed = allowed
  }

  var json: JSONValue {
    var fields: [JSONValue.Field] = [
      .init("code", .text(code)), .init("message", .text(message)), .init("hint", JSONValue(hint)),
    ]
    if let why { fields.append(.init("why", .text(why))) }
    return ["error": .object(fields)]
  }
}

extension APIError {
  package static func badValue(_ field: String, _ reason: String, hint: String) -> APIError {
    APIError(422, "badValue", "\(field): \(reason)", hint: hint)
  }

  /// Refused in the current state; it may be possible later.
  package static func notPossible(_ reason: String, hint: String?) -> APIError {
    APIError(409, "notPossible", reason, hint: hint)
  }
}
