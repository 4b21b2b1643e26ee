import Foundation
import Testing

@Suite struct LifecycleTableTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/lifecycle.md")

  @Test(arguments: ["matrix", "effects"])
  func `the tables in the documentation match the state machine`(name: String) throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let parts = page.components(separatedBy: "<!-- \(name) -->\n")
    let shown = parts.count == 3 ? parts[1] : ""
    let table = LifecycleTable()
    let right = (name == "matrix" ? table.matrix : table.effects) + "\n"
    #expect(shown == right, "between the two lines <!-- \(name) --> of docs/lifecycle.md belongs:\n\(right)")
  }
}
