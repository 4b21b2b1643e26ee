import HoldfastMediaServer
import HoldfastPlatform

/// An option of `serve`.
struct ServeOption: CommandOption {
  let flag: String
  let placeholder: String
  let form: OptionForm
  let help: String
  private let apply: @Sendable (String, inout MediaServer.Configuration) throws(InvalidValue) -> Void

  private init<Value>(
    _ flag: String, _ property: any WritableKeyPath<MediaServer.Configuration, Value> & Sendable,
    _ kind: ValueKind<Value>, _ help: String,
    combine: @escaping @Sendable (inout Value, Value) -> Void = { $0 = $1 }
  ) {
    self.flag = flag
    self.help = help + (kind.write(Self.defaults[keyPath: property]).map { " [\($0)]" } ?? "")
    placeholder = kind.placeholder
    form = kind.form
    apply = { (text, configuration) throws(InvalidValue) in
      combine(&configuration[keyPath: property], try kind.read(text))
    }
  }

  private static let defaults: MediaServer.Configuration = {
    var configuration = MediaServer.Configuration()
    configuration.port = 1935
    configuration.directory = "served"
    return configuration
  }()

  /// `environment` may hold keys.
  static func all(environment: [String: String] = [:]) -> [ServeOption] {
    [
      ServeOption(
        "--port", \.port,
        ValueKind(
          "PORT", why: "not a port", remedy: "write 0 to 65535", parse: { UInt16($0) }, write: \.description),
        "port to listen on, 0 is a free one"),
      ServeOption(
        "--host", \.host, .text("HOST", why: "no address", remedy: "write 0.0.0.0 for all"),
        "address of this machine to listen on"),
      ServeOption("--dir", \.directory, .directoryOrOff, "folder of the files"),
      ServeOption(
        "--key", \.keys,
        ValueKind(
          "KEY|@FILE", form: .names,
          read: { (text) throws(InvalidValue) in try keys(text, environment) }, write: { _ in nil }),
        "let only those publish who show this key; may be repeated"
      ) { $0 = ($0 ?? []).union($1 ?? []) },
      ServeOption(
        "--max-connections", \.maxConnections,
        ValueKind(
          "N", why: "not a number of connections", remedy: "write 1 to 1000",
          parse: { Int($0).flatMap { (1...1000).contains($0) ? $0 : nil } }, write: \.description),
        "publishers and players at a time, at most"),
    ]
  }

  static func read(
    _ arguments: [String], environment: [String: String]
  ) throws(Refusal) -> MediaServer.Configuration {
    var configuration = defaults
    for (option, text) in try Flags.read(
      arguments, among: all(environment: environment), command: ServeCommand.name)
    {
      do throws(InvalidValue) {
        try option.apply(text, &configuration)
      } catch {
        // Keys are not shown.
        let what = option.form.isList ? option.flag : "\(option.flag) \(shown(text))"
        throw Refusal(.usage, what, error.why, error.remedy)
      }
    }
    return configuration
  }

  private static func keys(_ text: String, _ environment: [String: String]) throws(InvalidValue) -> Set<
    String
  > {
    if text.hasPrefix("env:") {
      guard let key = environment[String(text.dropFirst(4))], !key.isEmpty else {
        throw InvalidValue(why: "no such variable in the environment", remedy: "set it, or name another one")
      }
      return [key]
    }
    guard text.hasPrefix("@") else {
      guard !text.isEmpty else {
        throw InvalidValue(why: "no key", remedy: "write one, or name a file with @FILE")
      }
      return [text]
    }
    do throws(SystemError) {
      let bytes = try FileDescriptor.contents(of: String(text.dropFirst()), limit: 1 << 20)
      let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }
      let keys = Set(lines.map(\.trimmed)).subtracting([""])
      guard !keys.isEmpty else { throw SystemError.foreignFormat("read") }
      return keys
    } catch {
      throw InvalidValue(why: error.reason, remedy: "name a file with a key in each line")
    }
  }
}
