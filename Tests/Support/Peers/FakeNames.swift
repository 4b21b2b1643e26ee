internal import Foundation

/// Host names that end in `.test`, which a program resolves only while a test wants it to.
package final class FakeNames: Sendable {
  private let file: String
  private let library: String

  /// Without `names` nothing can be resolved.
  package init(in folder: ScratchFolder, _ names: [String: String] = [:]) throws {
    file = folder.file("names")
    library = try preloadLibrary("fake-names")
    try set(names)
  }

  /// What the program under test has to be given.
  package var environment: [String: String] { ["LD_PRELOAD": library, "FAKE_NAMES": file] }

  /// These can be resolved from now on, all others not.
  package func set(_ names: [String: String]) throws {
    let lines = names.map { "\($0.key) \($0.value)\n" }.sorted().joined()
    try lines.write(toFile: file, atomically: true, encoding: .utf8)
  }

  /// The names that were asked for, one for each time.
  package var asked: [String] { lines(ofFile: file + ".asked") }
}
