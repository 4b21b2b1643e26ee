import HoldfastMediaModel

/// A table of any status for people: a line for each value, lists of objects in columns.
enum CtlStatusTable {
  static func text(for status: JSONValue) -> String {
    guard case .object(let fields) = status else { return shown(status) }
    return lines(of: fields, indent: 0).joined(separator: "\n")
  }

  /// Plain values first, then nested ones with a heading.
  private static func lines(of fields: [JSONValue.Field], indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    let plain = fields.filter { !$0.value.isNested }
    let width = plain.map { label($0.key).count }.max() ?? 0
    var lines = plain.map { margin + label($0.key).padded(to: width + 2) + shown($0) }
    for field in fields where field.value.isNested {
      if indent == 0, !lines.isEmpty { lines.append("") }
      lines.append(margin + label(field.key) + ":")
      lines += block(field.value, indent: indent + 2)
    }
    return lines
  }

  private static func block(_ value: JSONValue, indent: Int) -> [String] {
    switch value {
    case .object(let fields): return lines(of: fields, indent: indent)
    case .list(let elements):
      let rows = elements.map(\.cells)
      var columns: [String] = []
      for cell in rows.joined() where !columns.contains(cell.key) { columns.append(cell.key) }
      let table =
        [columns.map(label)]
        + rows.map { row in columns.map { column in row.first { $0.key == column }.map(shown) ?? "" } }
      return aligned(table, margin: String(repeating: " ", count: indent))
    case .null, .bool, .integer, .number, .text: return [shown(value)]
    }
  }

  static func aligned(_ table: [[String]], margin: String) -> [String] {
    let widths = (table.first ?? []).indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    return table.map { row in
      var line = margin + zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// `media time` for `mediaTimeMs`, as durations are shown with their unit.
  private static func label(_ key: String) -> String {
    let name = key.isLength ? String(key.dropLast(2)) : key
    return name.printable.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
  }

  private static func shown(_ field: JSONValue.Field) -> String {
    guard field.key.isLength, case .integer(let milliseconds) = field.value,
      milliseconds.magnitude < 1_000_000_000_000
    else { return shown(field.value) }
    return MediaTime.milliseconds(milliseconds).description
  }

  private static func shown(_ value: JSONValue) -> String {
    switch value {
    case .null: "–"
    case .bool(let flag): flag ? "yes" : "no"
    case .integer(let number): String(number)
    case .number(let number): String((number * 100).rounded() / 100)
    case .text(let text): text.isEmpty ? "–" : text.printable
    case .list(let values): values.isEmpty ? "none" : values.map(shown).joined(separator: ", ")
    case .object: value.description
    }
  }
}

extension String {
  /// Whether the key names a duration in milliseconds.
  fileprivate var isLength: Bool { count > 2 && hasSuffix("Ms") }
}

extension JSONValue {
  fileprivate var isNested: Bool {
    switch self {
    case .object(let fields): !fields.isEmpty
    case .list(let elements):
      elements.contains {
        if case .object = $0 { true } else { false }
      }
    case .null, .bool, .integer, .number, .text: false
    }
  }

  /// The cells of one row; a nested value is prefixed with its parent's name.
  fileprivate var cells: [Field] {
    guard case .object(let fields) = self else { return [Field("", self)] }
    return fields.flatMap { field in
      guard case .object(let inner) = field.value, !inner.isEmpty else { return [field] }
      // `lostMs` with `video` in it becomes `lost video`, still a duration.
      let (name, unit) = field.key.isLength ? (String(field.key.dropLast(2)), "Ms") : (field.key, "")
      return inner.map { Field("\(name) \($0.key)\(unit)", $0.value) }
    }
  }
}
