import Foundation
import FuzzTargets
import Testing

/// The stored seeds, corpus and findings of fuzzing.
@Suite struct FixtureTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func inputs(_ kind: String, of name: String) throws -> [Data] {
    let place = folder.appendingPathComponent(kind).appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: place.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil).map {
      try Data(contentsOf: $0)
    }
  }

  /// A target traps with a message if a claim does not hold.
  @Test(arguments: FuzzTarget.all)
  func `every stored fuzzing input passes`(target: FuzzTarget) throws {
    let inputs = try Self.inputs("Corpus", of: target.name) + Self.inputs("Findings", of: target.name)
    #expect(inputs.count >= 10)
    for input in inputs { target.run([UInt8](input).span) }
  }

  @Test(arguments: FuzzTarget.all) func `the fuzzing corpus is small`(target: FuzzTarget) throws {
    let sizes = try Self.inputs("Corpus", of: target.name).map(\.count)
    #expect(sizes.count <= 40 && sizes.reduce(0, +) <= 200_000)
  }

  @Test(arguments: FuzzTarget.all)
  func `the fuzzing corpus contains the current seeds`(target: FuzzTarget) throws {
    let kept = Set(try Self.inputs("Corpus", of: target.name))
    #expect(target.seeds().allSatisfy { kept.contains(Data($0)) })
  }
}
