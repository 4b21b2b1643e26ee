import HoldfastCommands
import HoldfastMediaModel

/// An option with the given text and its origin.
struct OptionValue: Sendable {
  enum Origin: Hashable, Sendable {
    case flag
    case environment
    case file(String)
  }

  let option: Option
  let text: String
  let origin: Origin

  /// The origin and the text for errors, without a text that may hold secrets.
  var what: String {
    let isSecret = option.form == .outputs || option.form == .source && text.contains("://")
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

  func refusal(_ error: InvalidValue) -> Refusal { Refusal(status, what, error) }
}
