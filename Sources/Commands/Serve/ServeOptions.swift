internal import HoldfastMediaServer
internal import HoldfastPlatform

/// The options of `serve`.
enum ServeOptions {
  struct Option: Sendable {
    let flag: String
    let placeholder: String
    let help: String
    /// It may be given more than once.
    var isRepeated = false
    let apply: @Sendable (String, inout MediaServer.Configuration, Surroundings) throws(WrongValue) -> Void
  }

  /// Where texts that don't stand on the command line come from.
  struct Surroundings: Sendable {
    let environment: [String: String]
    let contents: @Sendable (String) throws(SystemError) -> [UInt8]
  }

  static let defaultPort: UInt16 = 1935
  static let defaultDirectory = "served"

  static let all: [Option] = [
    Option(
      flag: "--port", placeholder: "PORT", help: "port to listen on, 0 is a free one [\(defaultPort)]",
      apply: { (text, configuration, _) throws(WrongValue) in
        guard let port = UInt16(text) else { throw WrongValue(why: "not a port", remedy: "write 0 to 65535") }
        configuration.port = port
      }),
    Option(
      flag: "--host", placeholder: "HOST", help: "address of this machine to listen on [127.0.0.1]",
      apply: { (text, configuration, _) throws(WrongValue) in
        guard !text.isEmpty else { throw WrongValue(why: "no address", remedy: "write 0.0.0.0 for all") }
        configuration.host = text
      }),
    Option(
      flag: "--dir", placeholder: "DIR|off", help: "folder of the files [\(defaultDirectory)]",
      apply: { (text, configuration, _) throws(WrongValue) in
        guard !text.isEmpty else { throw WrongValue(why: "no folder", remedy: "name a folder or write off") }
        configuration.directory = text == "off" ? nil : text
      }),
    Option(
      flag: "--key", placeholder: "KEY|@FILE",
      help: "let only those publish who show this key; may be repeated",
      isRepeated: true,
      apply: { (text, configuration, surroundings) throws(WrongValue) in
        configuration.keys = (configuration.keys ?? []).union(try keys(text, surroundings))
      }),
    Option(
      flag: "--max-connections", placeholder: "N", help: "publishers and players at a time, at most [32]",
      apply: { (text, configuration, _) throws(WrongValue) in
        guard let count = Int(text), (1...1000).contains(count) else {
          throw WrongValue(why: "not a number of connections", remedy: "write 1 to 1000")
        }
        configuration.maximumConnections = count
      }),
  ]

  static func read(_ arguments: [String], environment: [String: String]) throws(Refusal)
    -> MediaServer.Configuration
  {
    let surroundings = Surroundings(environment: environment) { (path) throws(SystemError) in
      try FileDescriptor.contents(of: path, limit: 1 << 20)
    }
    var configuration = MediaServer.Configuration()
    configuration.port = defaultPort
    configuration.directory = defaultDirectory
    var given: Set<String> = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let option = try option(parts[0])
      guard given.insert(option.flag).inserted || option.isRepeated else {
        throw Refusal(.usage, option.flag, "given twice", "keep one of them")
      }
      let text = parts.count == 2 ? parts[1] : try value(of: option, from: &rest)
      do throws(WrongValue) {
        try option.apply(text, &configuration, surroundings)
      } catch {
        // A key is not repeated to the screen.
        let what = option.isRepeated ? option.flag : "\(option.flag) \(shown(text))"
        throw Refusal(.usage, what, error.why, error.remedy)
      }
    }
    return configuration
  }

  private static func option(_ name: String) throws(Refusal) -> Option {
    if let option = all.first(where: { $0.flag == name }) { return option }
    guard name.hasPrefix("-") else {
      throw Refusal(.usage, shown(name), "it belongs to no option", "see holdfast help serve")
    }
    throw Refusal(
      .usage, unknown: shown(name), name: name, kind: "option", among: all.map(\.flag) + ["--help"],
      see: "holdfast help serve")
  }

  /// The next argument. One that begins with `--` is the next flag; only `=` can make it a value.
  private static func value(of option: Option, from rest: inout ArraySlice<String>) throws(Refusal) -> String
  {
    guard let next = rest.first, !next.hasPrefix("--") else {
      throw Refusal(
        .usage, option.flag, "its value is missing", "write \(option.flag) \(option.placeholder)")
    }
    rest.removeFirst()
    return next
  }

  private static func keys(_ text: String, _ surroundings: Surroundings) throws(WrongValue) -> Set<String> {
    if text.hasPrefix("env:") {
      guard let key = surroundings.environment[String(text.dropFirst(4))], !key.isEmpty else {
        throw WrongValue(why: "no such variable in the environment", remedy: "set it, or name another one")
      }
      return [key]
    }
    guard text.hasPrefix("@") else {
      guard !text.isEmpty else {
        throw WrongValue(why: "no key", remedy: "write one, or name a file with @FILE")
      }
      return [text]
    }
    do throws(SystemError) {
      let bytes = try surroundings.contents(String(text.dropFirst()))
      let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }
      let keys = Set(lines.map(trimmed)).subtracting([""])
      guard !keys.isEmpty else { throw SystemError.foreignFormat("read") }
      return keys
    } catch {
      throw WrongValue(why: error.reason, remedy: "name a file with a key in each line")
    }
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
