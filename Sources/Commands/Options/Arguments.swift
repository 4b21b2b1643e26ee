import HoldfastMediaModel

/// A command line, split into options and operands.
package struct Arguments<Known: CommandOption>: Sendable {
  package enum Operands: Hashable, Sendable {
    case refused, accepted
    /// After the first operand, others may begin with a single dash.
    case dashed
  }

  /// In the order of the command line.
  package private(set) var options: [(option: Known, text: String)] = []
  package private(set) var operands: [String] = []
  private let known: [Known]

  /// `--flag value` and `--flag=value` mean the same; a toggle without a value is true.
  package init(
    _ words: [String], of command: String, options known: [Known], operands accepted: Operands = .refused
  ) throws(Refusal) {
    self.known = known
    var rest = words[...]
    while let word = rest.popFirst() {
      let mayBeOperand = accepted == .dashed && !operands.isEmpty && !word.hasPrefix("--")
      if mayBeOperand || !word.hasPrefix("-") {
        guard accepted != .refused else {
          throw Refusal(
            .usage, shown(Self.withoutKey(word)), "unexpected argument", "run holdfast help \(command)")
        }
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = known.first(where: { $0.flag == name }) else {
        throw Refusal(
          .usage, unknown: shown(name), name: name, kind: "option", among: known.map(\.flag) + ["--help"],
          see: "holdfast help \(command)")
      }
      guard option.form.isList || !has(name) else {
        throw Refusal(.usage, name, "given twice", "keep one of them")
      }
      options.append((option, parts.count == 2 ? String(parts[1]) : try Self.value(of: option, from: &rest)))
    }
  }

  /// An address, which may contain a stream key, is shown as its scheme.
  private static func withoutKey(_ word: String) -> String {
    word.firstRange(of: "://").map { word[..<$0.upperBound] + "…" } ?? word
  }

  /// The next argument. One that begins with `--` is the next flag; only `=` can make it a value.
  private static func value(of option: Known, from rest: inout ArraySlice<String>) throws(Refusal) -> String {
    if option.form == .toggle { return "true" }
    guard let next = rest.first, !next.hasPrefix("--") else {
      throw Refusal(.usage, option.flag, "a value is missing", "write \(option.flag) \(option.placeholder)")
    }
    rest.removeFirst()
    return next
  }

  private func texts(of flag: String) -> [String] {
    assert(known.contains { $0.flag == flag }, "\(flag) is not in the table")
    return options.filter { $0.option.flag == flag }.map(\.text)
  }

  package func has(_ flag: String) -> Bool { !texts(of: flag).isEmpty }

  package func isOn(_ flag: String) throws(Refusal) -> Bool { try value(of: flag, .toggle) ?? false }

  package func value<Value>(of flag: String, _ kind: ValueKind<Value>) throws(Refusal) -> Value? {
    guard let text = texts(of: flag).first else { return nil }
    return try valid(kind.read(text), for: "\(flag) \(shown(text))")
  }

  /// The values of an option that may be repeated; errors do not show them.
  package func secrets<Value>(of flag: String, _ kind: ValueKind<Value>) throws(Refusal) -> [Value] {
    try texts(of: flag).map { (text) throws(Refusal) in try valid(kind.read(text), for: flag) }
  }

  package func requiredValue<Value>(of flag: String, _ kind: ValueKind<Value>) throws(Refusal) -> Value {
    if let value = try value(of: flag, kind) { return value }
    let placeholder = known.first { $0.flag == flag }?.placeholder ?? "VALUE"
    throw Refusal(.usage, flag, "required", "write \(flag) \(placeholder)")
  }
}
