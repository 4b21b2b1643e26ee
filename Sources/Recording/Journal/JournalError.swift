package import HoldfastMediaModel
import HoldfastPlatform

/// Why a journal cannot be written or read.
package typealias JournalError = Failure<JournalFault>

package enum JournalFault: String, Hashable, Sendable, CaseIterable {
  case noFolder
  case badName
  case inUse
  /// The size limit is reached; gaps are no longer written.
  case full
  /// The disk took too long; entries are written late or, if the queue is full, lost.
  case slow
  case system
}

extension JournalError {
  init(_ path: String, _ error: SystemError) {
    self.init(
      .system, "\(path): \(error)", hint: "the broadcast can't be resumed after a crash; check the disk")
  }

  init(_ failure: FileLock.Failure, name: String, path: String) {
    switch failure {
    case .held(let process):
      let shown = process.map { " (process \($0))" } ?? ""
      self.init(
        .inUse, "another holdfast named \(name) is running\(shown)", hint: "stop it, or choose another name")
    case .system(let error): self.init(path, error)
    }
  }
}

/// Adds the path to a system error.
func named<Result: ~Copyable>(
  _ path: String, _ body: () throws(SystemError) -> Result
) throws(JournalError) -> Result {
  try mapError(body()) { (error: SystemError) in JournalError(path, error) }
}
