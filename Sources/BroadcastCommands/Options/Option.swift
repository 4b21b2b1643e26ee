import HoldfastBroadcasting
import HoldfastCommands
import HoldfastMediaModel

/// A row of the option table, which defines flag, variable, file key and help.
struct Option: CommandOption {
  let key: String
  /// Parses its text and changes the settings; nil for the name of the configuration file, which is not allowed in one.
  let apply: (@Sendable (String, inout ProgramSettings) throws(InvalidValue) -> Void)?
  let placeholder: String
  let form: OptionForm
  let help: String
  let defaultText: String?
  let differs: @Sendable (ProgramSettings, ProgramSettings) -> Bool

  /// `--audio-bitrate` for `audioBitrate`.
  var flag: String { "--" + words(separator: "-") }
  /// `HOLDFAST_AUDIO_BITRATE` for `audioBitrate`.
  var variable: String { variablePrefix + words(separator: "_").uppercased() }

  private func words(separator: String) -> String {
    key.map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
  }
}

extension Option {
  /// A value replaces the previous one unless `combine` does otherwise.
  init<Value: Equatable>(
    _ setting: Configuration.Setting, _ property: any WritableKeyPath<Configuration, Value> & Sendable,
    _ kind: ValueKind<Value>, _ help: String,
    combine: @escaping @Sendable (inout Value, Value) -> Void = { $0 = $1 }
  ) {
    self.init(
      key: setting.rawValue, kind, help, value: { $0.broadcast[keyPath: property] },
      take: { combine(&$0.broadcast[keyPath: property], $1) })
  }

  /// An option for a setting of the program alone.
  init<Value: Equatable>(
    _ setting: ProgramSettings.Setting, _ property: any WritableKeyPath<ProgramSettings, Value> & Sendable,
    _ kind: ValueKind<Value>, _ help: String,
    combine: @escaping @Sendable (inout Value, Value) -> Void = { $0 = $1 }
  ) {
    self.init(
      key: setting.rawValue, kind, help, value: { $0[keyPath: property] },
      take: { combine(&$0[keyPath: property], $1) })
  }

  private init<Value: Equatable>(
    key: String, _ kind: ValueKind<Value>, _ help: String,
    value: @escaping @Sendable (ProgramSettings) -> Value,
    take: @escaping @Sendable (inout ProgramSettings, Value) -> Void
  ) {
    self.init(
      key: key,
      apply: { (text, settings) throws(InvalidValue) in take(&settings, try kind.read(text)) },
      placeholder: kind.placeholder, form: kind.form, help: help,
      defaultText: kind.write(value(ProgramSettings())), differs: { value($0) != value($1) })
  }

  static let configurationFile = Option(
    key: "config", apply: nil, placeholder: "FILE", form: .text,
    help: "read settings from this JSON5 file, and again on SIGHUP", defaultText: nil,
    differs: { _, _ in false })
}
