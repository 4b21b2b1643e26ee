import Foundation
package import HoldfastMediaModel
import HoldfastPlatform

/// A wall clock for one program only, which a test can step.
package final class FakeClock: Sendable {
  package struct Step: Sendable {
    package let at: MonotonicTime
    package let length: MediaTime
    /// The sum of all steps so far.
    package let offset: MediaTime
  }

  private let file: String
  private let library: String
  private let taken = Locked<[Step]>([])

  package init(in folder: ScratchFolder) throws {
    file = folder.file("clock")
    library = try preloadLibrary("fake-clock")
    try Data(count: 8).write(to: URL(fileURLWithPath: file))
  }

  package var environment: [String: String] { ["LD_PRELOAD": library, "FAKE_CLOCK": file] }

  package var steps: [Step] { taken.withLock { $0 } }

  package func step(by length: MediaTime) throws {
    let offset = length + (steps.last?.offset ?? .zero)
    // In place: the program has mapped the file.
    guard let handle = FileHandle(forWritingAtPath: file) else { throw TestFailure("no \(file)") }
    try handle.write(contentsOf: withUnsafeBytes(of: offset.nanoseconds) { Data($0) })
    taken.withLock { $0.append(Step(at: .now, length: length, offset: offset)) }
  }
}
