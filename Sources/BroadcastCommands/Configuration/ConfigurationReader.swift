import HoldfastBroadcasting
import HoldfastCommands
import HoldfastMediaModel
import HoldfastPlatform

/// Assembles a configuration from defaults, the file, the environment and the flags.
struct ConfigurationReader {
  let references: SecretReference

  init(_ references: SecretReference) { self.references = references }

  init(environment: [String: String]) { references = SecretReference(environment: environment) }

  func read(_ arguments: [String]) throws(Refusal) -> ProgramSettings {
    let flags = try readFlags(arguments)
    let variables = try readEnvironment()
    var file: [OptionValue] = []
    if let named = Self.nameOfFile(variables + flags) { file = try readFile(named: named) }

    var settings = ProgramSettings()
    let given = listsOfLastPlaces(file + variables + flags)
    for one in given {
      let value = try resolved(one, &settings.secretVariables)
      do throws(InvalidValue) { try one.option.apply?(value.text, &settings) } catch {
        throw value.refusal(error)
      }
    }
    do { try settings.broadcast.validate() } catch { throw refusal(error, given: given) }
    return settings
  }

  /// Of an option that may be repeated, keeps only the values from its last origin.
  private func listsOfLastPlaces(_ given: [OptionValue]) -> [OptionValue] {
    given.filter { one in
      !one.option.form.isList || one.origin == given.last { $0.option.key == one.option.key }?.origin
    }
  }

  /// The path of the configuration file; nil if none was named.
  func file(_ arguments: [String]) throws(Refusal) -> String? {
    Self.nameOfFile(try readEnvironment() + readFlags(arguments))?.text
  }

  private static func nameOfFile(_ given: [OptionValue]) -> OptionValue? {
    given.last { $0.option.key == Option.configurationFile.key }
  }

  private func resolved(_ given: OptionValue, _ variables: inout Set<String>) throws(Refusal) -> OptionValue {
    guard given.option.form.takesReferences else { return given }
    func find(_ text: String) throws(Refusal) -> String {
      if let name = SecretReference.variable(text) { variables.insert(name) }
      return try references.find(text, subject: given.option.flag, status: given.status)
    }
    if given.option.form == .tiles, let equals = given.text.firstIndex(of: "=") {
      let source = try find(String(given.text[given.text.index(after: equals)...]))
      return OptionValue(option: given.option, text: given.text[...equals] + source, origin: given.origin)
    }
    var text = try find(given.text)
    // An object's address may be a reference, too.
    if case .object(var fields)? = text.hasPrefix("{") ? JSONValue(json: text) : nil {
      for index in fields.indices {
        guard fields[index].key == "url", case .text(let url) = fields[index].value else { continue }
        fields[index] = JSONValue.Field("url", .text(try find(url)))
      }
      text = JSONValue.object(fields).description
    }
    return OptionValue(option: given.option, text: text, origin: given.origin)
  }

  private func readFlags(_ arguments: [String]) throws(Refusal) -> [OptionValue] {
    try Arguments(arguments, of: PublishCommand.name, options: Options.all).options
      .map { OptionValue(option: $0.option, text: $0.text, origin: .flag) }
  }

  private func readEnvironment() throws(Refusal) -> [OptionValue] {
    let ours = references.environment.filter { $0.key.hasPrefix(variablePrefix) }.sorted {
      $0.key < $1.key
    }
    var given: [OptionValue] = []
    for (name, text) in ours {
      guard let option = Options.option(variable: name) else {
        throw Refusal(
          .configuration, unknown: shown(name), name: name, kind: "variable",
          among: Options.all.map(\.variable), see: "holdfast help publish")
      }
      let texts =
        switch option.form {
        // No address contains a space.
        case .outputs: text.split(separator: " ").map(String.init)
        case .tiles: text.split(separator: "\n").map(String.init)
        case .text, .textOrBool, .number, .toggle, .source, .names, .object: [text]
        }
      given += texts.map { OptionValue(option: option, text: $0, origin: .environment) }
    }
    return given
  }

  private func readFile(named given: OptionValue) throws(Refusal) -> [OptionValue] {
    guard !given.text.isEmpty else {
      throw given.refusal(InvalidValue("empty", hint: "use a file name, or leave it out"))
    }
    let bytes = try mapError(references.contents(of: given.text)) { (error: SystemError) in
      Refusal(
        error.isNotFound ? .notFound : .configuration, given.what, error.reason, "use a readable JSON5 file")
    }
    return try ConfigurationFile.read(bytes, path: given.text)
  }

  /// Names the given options only; defaults never conflict with each other.
  private func refusal(_ error: ConfigurationError, given: [OptionValue]) -> Refusal {
    let guilty = error.settings.compactMap { setting in given.last { $0.option.key == setting.rawValue } }
    let what = guilty.isEmpty ? error.settings.map(\.rawValue) : guilty.map(\.what)
    let isUsage = guilty.contains { $0.status == .usage }
    return Refusal(isUsage ? .usage : .configuration, what.joined(separator: " and "), error.what, error.hint)
  }
}
