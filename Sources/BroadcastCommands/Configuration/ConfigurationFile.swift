import FoundationEssentials
import HoldfastBroadcasting
import HoldfastCommands
import HoldfastMediaModel

/// The settings in a configuration file: one JSON5 object with the options' keys.
enum ConfigurationFile {
  static func read(_ bytes: [UInt8], path: String) throws(Refusal) -> [OptionValue] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Refusal(.configuration, shown(path), "not UTF-8 text", "save it as UTF-8")
    }
    let value: JSONValue
    do {
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      value = try decoder.decode(ReadValue.self, from: Data(bytes)).value
    } catch {
      throw unreadable(error, text, path: path)
    }
    guard case .object(let fields) = value else {
      throw Refusal(.configuration, shown(path), "not an object", "write { name: \"value\" }")
    }
    var given: [OptionValue] = []
    for field in fields { given += try read(field, path: path) }
    return given
  }

  private static func read(_ field: JSONValue.Field, path: String) throws(Refusal) -> [OptionValue] {
    guard let option = Options.option(key: field.key) else {
      throw Refusal(
        .configuration, unknown: "\(shown(field.key)) in \(shown(path))", name: field.key, kind: "setting",
        among: Options.settings.map(\.key), see: "holdfast help publish")
    }
    guard let texts = option.form.texts(of: field.value) else {
      let value = option.form.takesReferences ? "" : " " + shown(field.value.description)
      throw Refusal(
        .configuration, "\(option.key)\(value) in \(shown(path))",
        "not \(option.form.values.expected)", "write \(option.key): \(option.form.values.example)")
    }
    return texts.map { OptionValue(option: option, text: $0, origin: .file(path)) }
  }

  private static func unreadable(_ error: any Error, _ text: String, path: String) -> Refusal {
    let hint = "check for a missing or extra bracket, comma, colon or quote, there or just before"
    if let problem = JSON5Problem(in: text) {
      return Refusal(
        .configuration, "\(shown(path)):\(problem.line):\(problem.column)",
        "not valid JSON5: \(problem.what)",
        hint)
    }
    switch error {
    case DecodingError.typeMismatch(_, let context):
      let key = context.codingPath.map(\.stringValue).joined(separator: ".")
      return Refusal(.configuration, "\(shown(key)) in \(shown(path))", "invalid value", "correct it")
    default:
      return Refusal(.configuration, shown(path), "not valid JSON5", hint)
    }
  }
}

extension OptionForm {
  /// The texts to parse; nil if `value` is of the wrong kind.
  func texts(of value: JSONValue) -> [String]? {
    guard isList, case .list(let elements) = value else { return text(of: value).map { [$0] } }
    let texts = elements.compactMap { text(of: $0) }
    return texts.count == elements.count ? texts : nil
  }

  func text(of value: JSONValue) -> String? {
    switch (value, self) {
    case (.text, .toggle): nil
    case (.text(let text), _): text
    case (.integer(let number), .number): String(number)
    case (.number(let number), .number):
      Int64(exactly: number).map { String($0) } ?? String(number)
    case (.bool(let flag), .toggle), (.bool(let flag), .textOrBool): String(flag)
    case (.object, .outputs), (.object, .object): value.description
    case (_, _): nil
    }
  }

  /// The permitted JSON values, with an example.
  var values: (expected: String, example: String) {
    switch self {
    case .text, .source: ("text", "\"…\"")
    case .textOrBool: ("text, true or false", "true")
    case .names: ("text or a list of text values", "[\"…\"]")
    case .outputs: ("an address, an object with a url, or a list of those", "[\"rtmp://HOST/APP/KEY\"]")
    case .tiles: ("text or a list of text values", "[\"NAME=SOURCE\"]")
    case .object: ("an object", "{ low: { size: \"640x360\", bitrate: \"500k\" } }")
    case .number: ("text or a number", "a number, or \"…\" with a unit")
    case .toggle: ("true or false", "true")
    }
  }
}

extension JSONValue {
  init?(json: String) {
    guard let read = try? JSONDecoder().decode(ReadValue.self, from: Data(json.utf8)) else { return nil }
    self = read.value
  }
}

private struct ReadValue: Decodable {
  let value: JSONValue

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let flag = try? container.decode(Bool.self) {
      value = .bool(flag)
    } else if let number = try? container.decode(Int64.self) {
      value = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      value = .number(number)
    } else if let text = try? container.decode(String.self) {
      value = .text(text)
    } else if let list = try? container.decode([ReadValue].self) {
      value = .list(list.map(\.value))
    } else {
      let fields = try container.decode([String: ReadValue].self)
      value = .object(fields.sorted { $0.key < $1.key }.map { JSONValue.Field($0.key, $0.value.value) })
    }
  }
}
