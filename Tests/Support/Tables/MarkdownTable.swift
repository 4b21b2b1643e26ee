/// A table of the documentation, with the columns aligned. The first line is the head.
package func markdownTable(_ lines: [[String]]) -> String {
  let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
  func line(_ cells: [String]) -> String {
    "| "
      + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      .joined(separator: " | ") + " |"
  }
  let rule = line(widths.map { String(repeating: "-", count: $0) })
  return ([line(lines[0]), rule] + lines.dropFirst().map(line)).joined(separator: "\n")
}
