/// Help formatting, at most 80 columns wide.
package enum HelpText {
  package static let columns = 80

  /// Terms on the left, meanings on the right; a long term has a line to itself.
  package static func table(_ rows: [(term: String, meaning: String)]) -> String {
    let widest = rows.map(\.term.count).max() ?? 0
    let indent = min(widest, 24) + 4
    return rows.map { term, meaning in
      let lines = wrapped(meaning, columns: columns - indent)
      let gap = String(repeating: " ", count: max(0, indent - term.count - 2))
      let first = gap.isEmpty ? ["  \(term)"] : ["  \(term)\(gap)\(lines.first ?? "")"]
      let rest = gap.isEmpty ? lines[...] : lines.dropFirst()
      return (first + rest.map { String(repeating: " ", count: indent) + $0 }).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The options of a command, and `--help`.
  package static func table(_ options: [some CommandOption]) -> String {
    table(options.map { ($0.term, $0.help) } + [("--help", "show this help")])
  }

  package static var exitStatuses: String {
    "Exit status:\n" + table(ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) })
  }

  package static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension String {
  /// With blanks behind it.
  package func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - count))
  }
}
