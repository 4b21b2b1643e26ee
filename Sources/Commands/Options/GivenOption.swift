/// An option with the text that somebody gave it, and where.
struct GivenOption: Sendable {
  enum Origin: Hashable, Sendable {
    case flag
    case environment
    case file(String)
  }

  let option: Option
  let text: String
  let origin: Origin

  /// The place and the text, as an error names them; the place alone for a text that holds secrets.
  var what: String {
    let isSecret = option.form == .outputs
    return switch origin {
    case .flag where option.form == .toggle: text == "true" ? option.flag : "\(option.flag)=\(shown(text))"
    case .flag: option.flag + (isSecret ? "" : " \(shown(text))")
    case .environment: option.variable + (isSecret ? "" : "=\(shown(text))")
    case .file(let path): option.key + (isSecret ? "" : " \(shown(text))") + " in \(shown(path))"
    }
  }

  var status: ExitStatus {
    switch origin {
    case .flag: .usage
    case .environment, .file: .configuration
    }
  }

  func refusal(_ error: WrongValue) -> Refusal {
    Refusal(status, what, error.why, error.remedy)
  }
}
