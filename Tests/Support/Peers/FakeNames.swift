import Foundation

/// Host names ending in `.test` whose resolution a test controls.
package final class FakeNames: Sendable {
  private let file: String
  private let library: String

  package init(in folder: ScratchFolder, _ names: [String: String] = [:]) throws {
    file = folder.file("names")
    library = try preloadLibrary("fake-names")
    try set(names)
  }

  package var environment: [String: String] { ["LD_PRELOAD": library, "FAKE_NAMES": file] }

  package func set(_ names: [String: String]) throws {
    let lines = names.map { "\($0.key) \($0.value)\n" }.sorted().joined()
    try lines.write(toFile: file, atomically: true, encoding: .utf8)
  }

  /// The names looked up, one for each lookup.
  package var asked: [String] { lines(ofFile: file + ".asked") }
}
