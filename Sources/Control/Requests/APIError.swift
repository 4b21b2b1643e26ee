package import HoldfastMediaModel

/// Why a request is refused, as programs and people read it.
package struct APIError: Error, Hashable, Sendable {
  /// HTTP's.
  package let status: Int
  /// One word, for programs.
  package let code: String
  package let message: String
  /// What to do about it.
  package let hint: String?
  /// When it may be asked for again.
  package let retryAfter: MediaTime?
  /// The methods of the path, where the request's is none of them.
  let allowed: [String]

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

  /// Nil where `json` is something else.
  init?(_ status: Int, _ json: JSONValue) {
    guard let error = json.field("error"), let code = error.field("code")?.text,
      let message = error.field("message")?.text
    else { return nil }
    self.init(status, code, message, hint: error.field("hint")?.text)
  }

  var json: JSONValue {
    [
      "error": [
        "code": .text(code), "message": .text(message), "hint": hint.map(JSONValue.text) ?? .null,
      ]
    ]
  }
}

extension APIError {
  static func badValue(_ field: String, _ why: String, hint: String) -> APIError {
    APIError(422, "badValue", "\(field): \(why)", hint: hint)
  }

  /// It may be possible later.
  package static func notPossible(_ why: String, hint: String?) -> APIError {
    APIError(409, "notPossible", why, hint: hint)
  }

  /// Nobody took it in time.
  package static let notTaken = APIError(
    503, "notTaken", "the broadcast did not take the command in time", hint: "try again")
}
