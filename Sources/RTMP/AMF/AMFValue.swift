/// A value of the Action Message Format, used in RTMP's commands and metadata.
package enum AMFValue: Hashable, Sendable {
  case number(Double)
  case boolean(Bool)
  case string(String)
  case null
  case undefined
  case object([Field])
  /// An object written with a count, as metadata is.
  case map([Field])
  case list([AMFValue])
  /// Milliseconds since 1970.
  case date(Double)
  /// Skipped.
  case other(String)

  package struct Field: Hashable, Sendable {
    package let key: String
    package let value: AMFValue

    package init(_ key: String, _ value: AMFValue) {
      self.key = key
      self.value = value
    }
  }

  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  package var fields: [Field]? {
    switch self {
    case .object(let fields), .map(let fields): fields
    case .number, .boolean, .string, .null, .undefined, .list, .date, .other: nil
    }
  }

  /// The strings of a list, or of an object with the keys "0", "1", …; nil for other values.
  var texts: [String]? {
    if case .list(let list) = self { list.compactMap(\.text) } else { fields?.compactMap(\.value.text) }
  }

  package subscript(key: String) -> AMFValue? { fields?.first { $0.key == key }?.value }
}
