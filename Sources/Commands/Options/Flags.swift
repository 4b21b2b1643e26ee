/// An option on a command line.
protocol CommandOption: Sendable {
  /// With its two dashes.
  var flag: String { get }
  var placeholder: String { get }
  var form: OptionForm { get }
}

/// Parses command lines that consist of options only.
enum Flags {
  /// The options of `known` found in `arguments`, in order, with their texts.
  static func read<Known: CommandOption>(
    _ arguments: [String], among known: [Known], command: String
  ) throws(Refusal) -> [(option: Known, text: String)] {
    var given: [(option: Known, text: String)] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = known.first(where: { $0.flag == name }) else {
        let flags = known.map(\.flag) + ["--help"]
        guard argument.hasPrefix("-") else {
          throw Refusal(.usage, shown(argument), "it belongs to no option", "see holdfast help \(command)")
        }
        throw Refusal(
          .usage, unknown: shown(name), name: name, kind: "option", among: flags,
          see: "holdfast help \(command)")
      }
      guard option.form.isList || !given.contains(where: { $0.option.flag == name }) else {
        throw Refusal(.usage, name, "given twice", "keep one of them")
      }
      given.append((option, parts.count == 2 ? String(parts[1]) : try value(of: option, from: &rest)))
    }
    return given
  }

  /// The next argument. One that begins with `--` is the next flag; only `=` can make it a value.
  private static func value(
    of option: some CommandOption, from rest: inout ArraySlice<String>
  ) throws(Refusal) -> String {
    if option.form == .toggle { return "true" }
    guard let next = rest.first, !next.hasPrefix("--") else {
      throw Refusal(
        .usage, option.flag, "its value is missing", "write \(option.flag) \(option.placeholder)")
    }
    rest.removeFirst()
    return next
  }
}
