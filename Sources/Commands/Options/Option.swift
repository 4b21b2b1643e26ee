internal import HoldfastBroadcasting

/// One row of the options' table: all of flag, variable, key in the file and help come from it.
struct Option: Sendable {
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
  init<Value: Equatable>(
    _ setting: Configuration.Setting, _ group: Group,
    _ property: any WritableKeyPath<ProgramSettings, Value> & Sendable, _ kind: ValueKind<Value>,
    _ help: String
  ) {
    self.init(key: setting.rawValue, group, property, kind, help)
  }

  init<Value: Equatable>(
    _ setting: ProgramSettings.Setting, _ group: Group,
    _ property: any WritableKeyPath<ProgramSettings, Value> & Sendable, _ kind: ValueKind<Value>,
    _ help: String
  ) {
    self.init(key: setting.rawValue, group, property, kind, help)
  }

  private init<Value: Equatable>(
    key: String, _ group: Group, _ property: any WritableKeyPath<ProgramSettings, Value> & Sendable,
    _ kind: ValueKind<Value>, _ help: String
  ) {
    self.init(
      key: key, group: group,
      use: .setting { (text, settings) throws(WrongValue) in
        settings[keyPath: property] = try kind.read(text)
      },
      placeholder: kind.placeholder, form: kind.form, help: help,
      defaultText: kind.write(ProgramSettings()[keyPath: property]),
      differs: { $0[keyPath: property] != $1[keyPath: property] })
  }

  /// Adds an output.
  static let to = Option(
    key: Configuration.Setting.to.rawValue, group: .outputs,
    use: .setting { (text, settings) throws(WrongValue) in
      settings.broadcast.outputs.requests.append(try WrittenOutput.read(text))
    },
    placeholder: "URL", form: .outputs,
    help:
      "publish to this rtmp, rtmps, rtsp, rtsps or srt address; may be given many times; @FILE and env:NAME name "
      + "a file and a variable that hold it, which keeps keys out of lists of processes",
    defaultText: nil, differs: { $0.broadcast.outputs.requests != $1.broadcast.outputs.requests })

  /// Adds what interrupts.
  static let interruptOn = Option(
    key: ProgramSettings.Setting.interruptOn.rawValue, group: .recording,
    use: .setting { (text, settings) throws(WrongValue) in
      settings.interruptOn.formUnion(try ValueKind.sessionStates.read(text))
    },
    placeholder: "STATES", form: .names,
    help:
      "interrupt while the session at the screen is locked (lock), or another one has the screen (inactive); "
      + "lock,inactive for both",
    defaultText: ValueKind.sessionStates.write([]), differs: { $0.interruptOn != $1.interruptOn })

  static let configurationFile = Option(
    key: "config", group: .configuration, use: .configurationFile, placeholder: "FILE", form: .text,
    help: "take settings from this JSON5 file, and again at SIGHUP", defaultText: nil,
    differs: { _, _ in false })
}
