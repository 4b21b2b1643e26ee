/// A JSON value; objects keep the order of their fields.
package enum JSONValue: Hashable, Sendable, CustomStringConvertible {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([Field])

  package struct Field: Hashable, Sendable {
    package let key: String
    package let value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// JSON on one line; non-finite numbers become null.
  package var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): String(value)
    case .integer(let value): String(value)
    case .number(let value): value.isFinite ? String(value) : "null"
    case .text(let value): Self.quoted(value)
    case .list(let values): "[" + values.map(\.description).joined(separator: ",") + "]"
    case .object(let fields):
      "{" + fields.map { Self.quoted($0.key) + ":" + $0.value.description }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    // Almost all texts, which need no look at each character's category.
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
    if isPlain { return "\"\(text)\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.isPrintable: result.unicodeScalars.append(scalar)
      default:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result + "\""
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
  package init(stringLiteral value: String) { self = .text(value) }

  package init(dictionaryLiteral fields: (String, JSONValue)...) {
    self = .object(fields.map { Field($0.0, $0.1) })
  }
}

extension JSONValue {
  package init(_ text: String?) { self = text.map(JSONValue.text) ?? .null }

  package init(_ isTrue: Bool?) { self = isTrue.map(JSONValue.bool) ?? .null }

  package init(_ integer: Int?) { self = integer.map { .integer(Int64($0)) } ?? .null }

  package init(_ time: MediaTime?) { self = time.map { .number($0.seconds) } ?? .null }
}
