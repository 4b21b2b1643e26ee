/// The flags of `publish`, as they stand on the command line.
enum Flags {
  static func read(_ arguments: [String]) throws(Refusal) -> [GivenOption] {
    var given: [GivenOption] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let (name, attached) = split(argument)
      guard let option = Options.option(flag: name) else { throw unknown(argument, name: name) }
      guard option.form.isList || !given.contains(where: { $0.option.key == option.key }) else {
        throw Refusal(.usage, option.flag, "given twice", "keep one of them")
      }
      let text = if let attached { attached } else { try value(of: option, from: &rest) }
      given.append(GivenOption(option: option, text: text, origin: .flag))
    }
    return given
  }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
  }

  /// The next argument. One that begins with `--` is the next flag; only `=` can make it a value.
  private static func value(
    of option: Option, from rest: inout ArraySlice<String>
  ) throws(Refusal) -> String {
    if option.form == .toggle { return "true" }
    guard let next = rest.first, !next.hasPrefix("--") else {
      throw Refusal(
        .usage, option.flag, "its value is missing", "write \(option.flag) \(option.placeholder)")
    }
    rest.removeFirst()
    return next
  }

  private static func unknown(_ argument: String, name: String) -> Refusal {
    guard argument.hasPrefix("-") else {
      return Refusal(.usage, shown(argument), "it belongs to no option", "see holdfast help publish")
    }
    return Refusal(
      .usage, unknown: shown(name), name: name, kind: "option",
      among: Options.all.map(\.flag) + ["--help"], see: "holdfast help publish")
  }
}
