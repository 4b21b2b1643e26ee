import Foundation
import Testing

@Suite struct SessionTableTests {
  private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/sessions.md")

  @Test(arguments: ["rights", "commands"])
  func `the tables in the documentation match the rules`(name: String) throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let parts = page.components(separatedBy: "<!-- \(name) -->\n")
    let shown = parts.count == 3 ? parts[1] : ""
    let table = SessionTable()
    let right = (name == "rights" ? table.rights : try table.commands()) + "\n"
    #expect(shown == right, "between the two lines <!-- \(name) --> of docs/sessions.md belongs:\n\(right)")
  }
}
