import Foundation
import FuzzTargets
import Testing

/// What fuzzing has begun with, learned and found.
@Suite struct FixtureTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func inputs(_ kind: String, of name: String) throws -> [URL] {
    let place = folder.appendingPathComponent(kind).appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: place.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
  }

  /// A target traps where something is wrong, and its message says what.
  @Test(arguments: FuzzTarget.all.map(\.name))
  func `every input that is kept goes through`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let inputs = try Self.inputs("Corpus", of: name) + Self.inputs("Findings", of: name)
    #expect(inputs.count >= 10)
    for input in inputs {
      let bytes = [UInt8](try Data(contentsOf: input))
      target.run(bytes.span)
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name)) func `the corpus is small`(name: String) throws {
    let sizes = try Self.inputs("Corpus", of: name).map { try Data(contentsOf: $0).count }
    #expect(sizes.count <= 40 && sizes.reduce(0, +) <= 200_000)
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `the corpus holds the seeds as they are now`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let kept = Set(try Self.inputs("Corpus", of: name).map { try Data(contentsOf: $0) })
    #expect(target.seeds().allSatisfy { kept.contains(Data($0)) })
  }
}
