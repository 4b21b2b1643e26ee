internal import HoldfastBroadcasting

/// One row of the options' table: all of flag, variable, key in the file and help come from it.
struct Option: CommandOption {
  enum Group: String, Sendable, CaseIterable {
    case sources = "Sources"
    case outputs = "Outputs"
    case recording = "Recording and course"
    case session = "Session"
    case control = "Control"
    case encoding = "Encoding"
    case configuration = "Configuration"
  }

  enum Use: Sendable {
    /// Names the configuration file; it can't stand in one.
    case configurationFile
    /// Changes the settings, after reading its text.
    case setting(apply: @Sendable (String, inout ProgramSettings) throws(WrongValue) -> Void)
  }

  /// The name in the configuration file.
  let key: String
  let group: Group
  let use: Use
  let placeholder: String
  let form: OptionForm
  let help: String
  let defaultText: String?
  /// Whether two configurations differ in it.
  let differs: @Sendable (ProgramSettings, ProgramSettings) -> Bool

  /// `--audio-bitrate` for `audioBitrate`.
  var flag: String { "--" + words(separator: "-") }
  /// `HOLDFAST_AUDIO_BITRATE` for `audioBitrate`.
  var variable: String { Self.variablePrefix + words(separator: "_").uppercased() }

  static let variablePrefix = "HOLDFAST_"

  private func words(separator: String) -> String {
    key.map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
  }
}

extension Option {
  typealias Property<Value> = any WritableKeyPath<ProgramSettings, Value> & Sendable

  /// A value replaces the one before it, unless `combine` says otherwise.
  init<Value: Equatable>(
    _ setting: Configuration.Setting, _ group: Group, _ property: Property<Value>, _ kind: ValueKind<Value>,
    _ help: String, combine: @escaping @Sendable (inout Value, Value) -> Void = { $0 = $1 }
  ) {
    self.init(key: setting.rawValue, group, property, kind, help, combine)
  }

  init<Value: Equatable>(
    _ setting: ProgramSettings.Setting, _ group: Group, _ property: Property<Value>, _ kind: ValueKind<Value>,
    _ help: String, combine: @escaping @Sendable (inout Value, Value) -> Void = { $0 = $1 }
  ) {
    self.init(key: setting.rawValue, group, property, kind, help, combine)
  }

  private init<Value: Equatable>(
    key: String, _ group: Group, _ property: Property<Value>, _ kind: ValueKind<Value>, _ help: String,
    _ combine: @escaping @Sendable (inout Value, Value) -> Void
  ) {
    self.init(
      key: key, group: group,
      use: .setting { (text, settings) throws(WrongValue) in
        combine(&settings[keyPath: property], try kind.read(text))
      },
      placeholder: kind.placeholder, form: kind.form, help: help,
      defaultText: kind.write(ProgramSettings()[keyPath: property]),
      differs: { $0[keyPath: property] != $1[keyPath: property] })
  }

  static let configurationFile = Option(
    key: "config", group: .configuration, use: .configurationFile, placeholder: "FILE", form: .text,
    help: "take settings from this JSON5 file, and again at SIGHUP", defaultText: nil,
    differs: { _, _ in false })
}
