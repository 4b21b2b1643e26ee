package import HoldfastMediaModel

extension ValueKind where Value == String {
  package static let name = ValueKind(placeholder: "NAME", read: { $0 }, write: { $0 })
  package static let path = text("FILE", what: "empty", hint: "use a file name")
  package static let hostAndPort = text(
    "HOST:PORT", what: "not a HOST:PORT address", hint: "write 127.0.0.1:8080 or [::1]:8080"
  ) { $0.contains(":") }
  package static let command = text("CMD", what: "no command", hint: "write a shell command") { text in
    text.contains { !$0.isWhitespace }
  }

  package static func text(
    _ placeholder: String, what: String, hint: String,
    where isRight: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
  ) -> ValueKind {
    ValueKind(placeholder, what: what, hint: hint, parse: { isRight($0) ? $0 : nil }, write: { $0 })
  }
}

extension ValueKind where Value == String? {
  package static let directoryOrOff = ValueKind(
    "DIR|off", what: "empty", hint: "use a folder or off",
    parse: { $0.isEmpty ? nil : .some($0 == "off" ? nil : $0) }, write: { $0 ?? "off" })
}

extension ValueKind where Value == Bool {
  package static let toggle = ValueKind(
    "", form: .toggle, what: "not a boolean", hint: "write true or false",
    parse: { text in
      switch text {
      case "true", "yes", "on", "1": true
      case "false", "no", "off", "0": false
      default: nil
      }
    })
}

extension ValueKind where Value == MediaTime {
  package static let duration = ValueKind(
    "TIME", form: .number, what: "not a duration",
    hint: "write 90, 1.5s, 250ms, 10m or 2h, at most 8784h",
    parse: { MediaTime(written: $0) }, write: \.written)
}

extension ValueKind where Value == Int {
  /// A whole number of `things`.
  package static func count(of things: String, in range: ClosedRange<Int>) -> ValueKind {
    ValueKind(
      "N", form: .number, what: "not a number of \(things)",
      hint: "write \(range.lowerBound) to \(range.upperBound)",
      parse: { Int($0).flatMap { range.contains($0) ? $0 : nil } }, write: \.description)
  }

  package static let bitrate = ValueKind(
    "RATE", form: .number, what: "not a bitrate", hint: "write 2500k, 2.5M or 128000",
    parse: Bitrate.read, write: Bitrate.written)

  package static let byteCount = ValueKind(
    "SIZE", form: .number, what: "not a size", hint: "write 500M, 50G, 1.5T or a number of bytes",
    parse: ByteCount.read, write: ByteCount.written)
}

extension ValueKind where Value: RawRepresentable & Equatable, Value.RawValue == String {
  /// One of `values`, by its name or a former name.
  package static func choice(
    _ placeholder: String, form: OptionForm = .text, of values: [Value],
    formerly former: [String: Value] = [:]
  ) -> ValueKind {
    ValueKind(
      placeholder: placeholder, form: form,
      read: { (text) throws(InvalidValue) in
        guard let value = Value(rawValue: text) ?? former[text], values.contains(value) else {
          throw .unknownName(text, among: values.map(\.rawValue))
        }
        return value
      }, write: \.rawValue)
  }
}
