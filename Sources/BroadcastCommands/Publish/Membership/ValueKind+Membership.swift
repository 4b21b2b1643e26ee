import HoldfastCommands
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastSession

extension ValueKind where Value == HTTPAddress {
  /// Whether it may be `http` is said by another setting.
  static let sessionAddress = ValueKind(
    placeholder: "URL", read: { (text) throws(InvalidValue) in try HTTPAddress(text, insecureLAN: true) },
    write: \.description)
}

extension ValueKind where Value == String {
  static let displayName = ValueKind(
    placeholder: "NAME",
    read: { (text) throws(InvalidValue) in
      do throws(Session.Refusal) { return try Session.DisplayName(text).text } catch {
        throw InvalidValue(error.message, hint: "use 1 to 200 printable characters")
      }
    }, write: { $0 })

  /// What is named is read later, so that it is in no process list and may be replaced.
  static func secretReference(_ what: String) -> ValueKind {
    text(
      "@FILE", what: "not @FILE or env:NAME",
      hint: "put \(what) into a file or a variable: every user of this machine can see command lines"
    ) { $0.count > 1 && $0.hasPrefix("@") || $0.count > 4 && $0.hasPrefix("env:") }
  }
}

extension ValueKind where Value == Int {
  static let memberCount = count(of: "members", in: 1...Session.Limits.members - 1)
}
