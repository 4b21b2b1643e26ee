import Foundation
import Testing

/// Who may import what: read from the sources themselves.
@Suite struct ImportTests {
  private struct Source: Sendable {
    let target: String
    let path: String
    let imports: Set<String>
    let lines: Int
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let found = Result { try readSources() }

  private func sources() throws -> [Source] { try Self.found.get() }

  private static func readSources() throws -> [Source] {
    let folder = root.appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".swift")
    }
    return try paths.map { path in
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      let lines = text.split(separator: "\n")
      let imports = lines.filter { $0.contains("import ") }.compactMap {
        $0.prefixMatch(of: /(?:internal |package |public |@testable )*import (\w+)/)?.output.1
      }
      return Source(
        target: String(path.prefix { $0 != "/" }), path: path, imports: Set(imports.map(String.init)),
        lines: lines.count)
    }
  }

  @Test func `each C module has one importer`() throws {
    let sources = try sources()
    let modules = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appendingPathComponent("Modules").path)
    #expect(modules.count >= 5)
    for module in modules {
      #expect(
        Set(sources.filter { $0.imports.contains("Holdfast\(module)") }.map(\.target)).count == 1, "\(module)"
      )
    }
  }

  @Test func `the pure targets import neither C nor system modules`() throws {
    let pure: Set = [
      "Lifecycle", "MP4", "Marks", "MediaModel", "Membership", "Mixing", "RTMP", "RTSP", "Session", "Stores",
    ]
    for source in try sources() where pure.contains(source.target) {
      #expect(source.imports.isSubset(of: pure.map { "Holdfast\($0)" }), "\(source.path)")
    }
  }

  @Test func `no source imports all of Foundation, which costs time and memory at every start`() throws {
    for source in try sources() { #expect(!source.imports.contains("Foundation"), "\(source.path)") }
  }

  @Test func `the executable is one file, and no file is longer than 500 lines`() throws {
    let sources = try sources()
    #expect(sources.filter { $0.target == "Program" }.count == 1)
    for source in sources { #expect(source.lines <= 500, "\(source.path)") }
  }

  @Test func `the sources named in the documentation exist`() throws {
    let page = Self.root.appendingPathComponent("docs/how-it-works.md")
    let named = try String(contentsOf: page, encoding: .utf8).matches(of: /`((?:\w+\/)+[\w+]+\.swift)`/)
    #expect(named.count > 20)
    let paths = Set(try sources().map(\.path))
    #expect(named.map { String($0.output.1) }.filter { !paths.contains($0) } == [])
  }
}
