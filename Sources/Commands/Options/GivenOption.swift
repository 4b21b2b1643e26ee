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

  /// The place and the text, as an error names them.
  var what: String {
    if option.form == .outputs { return place }
    return switch origin {
    case .flag where option.form == .toggle: text == "true" ? option.flag : "\(option.flag)=\(shown(text))"
    case .flag: "\(option.flag) \(shown(text))"
    case .environment: "\(option.variable)=\(shown(text))"
    case .file(let path): "\(option.key) \(shown(text)) in \(shown(path))"
    }
  }

  /// The place alone, for a text that holds secrets.
  private var place: String {
    switch origin {
    case .flag: option.flag
    case .environment: option.variable
    case .file(let path): "\(option.key) in \(shown(path))"
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
