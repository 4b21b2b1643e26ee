import Foundation

package func figure(_ value: Double, _ places: Int = 1) -> String { String(format: "%.\(places)f", value) }

package func padded(_ text: String, _ width: Int) -> String {
  text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
}

/// Lines of cells as a table, each column as wide as it has to be.
package func aligned(_ lines: [[String]]) -> String {
  let columns = lines.map(\.count).max() ?? 0
  let widths = (0..<columns).map { column in
    lines.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
  }
  return lines.map { line in
    (zip(line, widths).dropLast().map(padded) + line.suffix(1)).joined(separator: "  ")
  }.joined(separator: "\n")
}
