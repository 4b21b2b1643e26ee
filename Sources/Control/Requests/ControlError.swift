package import HoldfastMediaModel

/// Why a request was refused, as programs and people read it.
package struct ControlError: Error, Hashable, Sendable {
  /// One word, for programs.
  package let code: String
  package let message: String
  /// What to do about it.
  package let hint: String?

  package init(code: String, message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// Nil where `json` is something else.
  package init?(_ json: JSONValue) {
    guard let error = json.field("error"), let code = error.field("code")?.text,
      let message = error.field("message")?.text
    else { return nil }
    self.init(code: code, message: message, hint: error.field("hint")?.text)
  }

  package var json: JSONValue {
    [
      "error": [
        "code": .text(code), "message": .text(message), "hint": hint.map(JSONValue.text) ?? .null,
      ]
    ]
  }
}
