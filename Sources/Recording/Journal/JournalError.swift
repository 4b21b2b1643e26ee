import HoldfastPlatform

/// Why a journal cannot be written or read.
package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case noFolder
    case badName
    case inUse
    /// The size limit is reached; gaps are no longer written.
    case full
    /// The disk took too long; entries are written late or, if the queue is full, lost.
    case slow
    case system
  }

  package let kind: Kind
  package let what: String
  package let hint: String

  init(_ kind: Kind, _ what: String, hint: String) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  init(_ path: String, _ error: SystemError) {
    self.init(
      .system, "\(path): \(error)", hint: "the broadcast can't be resumed after a crash; check the disk")
  }

  init(_ failure: FileLock.Failure, name: String, path: String) {
    switch failure {
    case .held(let process):
      let shown = process.map { " (process \($0))" } ?? ""
      self.init(
        .inUse, "another holdfast named \(name) is running\(shown)", hint: "stop it, or choose another --name"
      )
    case .system(let error): self.init(path, error)
    }
  }

  package var description: String { "\(what); \(hint)" }
}

/// Adds the path to a system error.
func named<Result: ~Copyable>(
  _ path: String, _ body: () throws(SystemError) -> Result
) throws(JournalError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw JournalError(path, error)
  }
}
