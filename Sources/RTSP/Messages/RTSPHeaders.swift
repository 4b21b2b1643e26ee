/// The headers of a message, in order; names are case-insensitive.
package struct RTSPHeaders: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package let name: String
    package var value: String
  }

  package private(set) var fields: [Field] = []

  package init() {}

  package mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Adds a continuation line, which old servers write.
  mutating func continueLast(_ more: String) {
    guard !fields.isEmpty else { return }
    fields[fields.count - 1].value += " " + more
  }

  package subscript(_ name: String) -> String? {
    fields.first { $0.name.equalsIgnoringCase(name) }?.value
  }

  package func all(_ name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }
}

extension String {
  package func equalsIgnoringCase(_ other: String) -> Bool {
    func lowerCase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    return utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { lowerCase($0) == lowerCase($1) }
  }
}

extension StringProtocol {
  /// Without leading and trailing spaces and tabs.
  var trimmed: String {
    let isText = { (character: Character) in character != " " && character != "\t" }
    guard let first = firstIndex(where: isText), let last = lastIndex(where: isText) else { return "" }
    return String(self[first...last])
  }
}
