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

  package init?(_ status: Int, _ json: JSONValue) {
    guard let error = json.field("error"), let code = error.field("code")?.text,
      let message = error.field("message")?.text
    else { return nil }
    self.init(status, code, message, hint: error.field("hint")?.text)
  }

  var json: JSONValue {
    let fields: [JSONValue.Field] = [
      JSONValue.Field("code", .text(code)), JSONValue.Field("message", .text(message)),
      JSONValue.Field("hint", JSONValue(hint)),
    ]
    return ["error": .object(fields + (why.map { [JSONValue.Field("why", .text($0))] } ?? []))]
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
