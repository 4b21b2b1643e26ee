import HoldfastMediaModel
import HoldfastPlatform

extension ValueKind where Value == UInt16 {
  static let port = ValueKind(
    "PORT", what: "not a port", hint: "write 0 to 65535", parse: { UInt16($0) }, write: \.description)
}

extension ValueKind where Value == Set<String> {
  /// A key, the lines of `@FILE`, or the variable of `env:NAME`.
  static func keys(environment: [String: String]) -> ValueKind {
    ValueKind(
      placeholder: "KEY|@FILE", read: { (text) throws(InvalidValue) in try readKeys(text, environment) })
  }

  private static func readKeys(
    _ text: String, _ environment: [String: String]
  ) throws(InvalidValue) -> Set<String> {
    if text.hasPrefix("env:") {
      guard let key = environment[String(text.dropFirst(4))], !key.isEmpty else {
        throw InvalidValue("no such environment variable", hint: "set it, or choose another")
      }
      return [key]
    }
    guard text.hasPrefix("@") else {
      guard !text.isEmpty else { throw InvalidValue("no key", hint: "write a key, or @FILE") }
      return [text]
    }
    do throws(SystemError) {
      let bytes = try FileDescriptor.contents(of: String(text.dropFirst()), limit: 1 << 20)
      let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }
      let keys = Set(lines.map(\.trimmed)).subtracting([""])
      guard !keys.isEmpty else { throw SystemError.foreignFormat("read") }
      return keys
    } catch {
      throw InvalidValue(error.reason, hint: "use a file with one key per line")
    }
  }
}
