import Foundation
import Testing

/// What other packages see: read from the sources, with one declaration to a line as the formatter writes them.
@Suite struct PublicAPITests {
  private struct Declaration: CustomStringConvertible {
    let file: String
    let line: Int
    let text: String
    let isDocumented: Bool
    var description: String { "\(file):\(line + 1): \(text)" }
    var isAtTopLevel: Bool { !text.hasPrefix(" ") && !text.hasPrefix("public import") }
  }

  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources")

  private func publicDeclarations(in folder: String) throws -> [Declaration] {
    let place = Self.sources.appendingPathComponent(folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: place.path)
    return try paths.filter { $0.hasSuffix(".swift") }.flatMap { path in
      let text = try String(contentsOf: place.appendingPathComponent(path), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let candidates = lines.indices.filter { lines[$0].contains("public ") || lines[$0].contains("open ") }
      return candidates.filter { lines[$0].contains(/^ *(@\w+ )*(public|open)\s/) }.map { index in
        let before = lines[..<index].last { !$0.contains(/^ *@\w+$/) } ?? ""
        return Declaration(
          file: "\(folder)/\(path)", line: index, text: lines[index],
          isDocumented: before.contains(/^ *\/\/\/\s/))
      }
    }
  }

  @Test(arguments: [("Holdfast", 80), ("HoldfastTesting", 12)])
  func `a library has few public types, and each of them is documented`(folder: String, limit: Int) throws {
    let types = try publicDeclarations(in: folder).filter(\.isAtTopLevel)
    #expect(!types.isEmpty && types.count <= limit, "\(types.count) public declarations")
    for type in types { #expect(type.isDocumented, "\(type)") }
  }

  @Test(arguments: ["Holdfast", "HoldfastTesting"])
  func `each public function is documented, except operators and protocol requirements`(
    folder: String
  ) throws {
    let functions = try publicDeclarations(in: folder).filter {
      $0.text.contains(/\bpublic (static )?func \w/)
    }
    let ofProtocols = ["beginTrack", "receive", "reportDropped", "endBroadcast", "end", "hash"]
    for function in functions where !ofProtocols.contains(where: { function.text.contains("func \($0)(") }) {
      #expect(function.isDocumented, "\(function)")
    }
  }

  @Test func `no declaration outside the libraries is public`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
    for folder in folders where !["Holdfast", "HoldfastTesting"].contains(folder) {
      for declaration in try publicDeclarations(in: folder) { Issue.record("\(declaration)") }
    }
  }

  @Test func `no library publicly imports an internal module`() throws {
    for folder in ["Holdfast", "HoldfastTesting"] {
      for declaration in try publicDeclarations(in: folder) where declaration.text.hasPrefix("public import")
      {
        #expect(declaration.text == "public import Holdfast", "\(declaration)")
      }
    }
  }

  @Test(arguments: ["docs/library.md", "docs/session.md"])
  func `each Swift example in the documentation is part of a sample, which compiles`(page: String) throws {
    let root = Self.sources.deletingLastPathComponent()
    func lines(_ text: Substring) -> [Substring] {
      text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }
    let samples = try [
      "Sources/gated/Gated", "Sources/drawn/Drawn", "Sources/steered/Steered",
      "Tests/PublisherTests/PublisherTests",
    ].map { path in
      let file = root.appendingPathComponent("samples/swift/\(path).swift")
      return lines(try String(contentsOf: file, encoding: .utf8)[...])
    }
    let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
    let examples = text.matches(of: /(?s)```swift\n(.*?)```/).map { lines($0.1) }
    #expect(!examples.isEmpty)
    for example in examples {
      #expect(samples.contains { $0.firstRange(of: example) != nil }, "\(example)")
    }
  }
}
