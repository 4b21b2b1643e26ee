internal import HoldfastPlatform

/// Why a journal can't be kept or read.
package struct JournalError: Error, Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// No variable says where it is to be.
    case noPlace
    /// A name that can't stand in a path.
    case badName
    /// Another process of the same name is running.
    case inUse
    /// It holds as much as it may; only what decides about a resume is still written.
    case full
    /// The disk took too long; what was asked for is written when it can.
    case slow
    /// The operating system refuses.
    case system
  }

  package let kind: Kind
  package let what: String
  /// What to do about it.
  package let hint: String

  init(_ kind: Kind, _ what: String, hint: String) {
    self.kind = kind
    self.what = what
    self.hint = hint
  }

  init(_ path: String, _ error: SystemError) {
    self.init(
      .system, "\(path): \(error)", hint: "the broadcast can't be resumed after a crash; see to the disk")
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
}

extension JournalError: CustomStringConvertible {
  package var description: String { "\(what); \(hint)" }
}

/// Gives an error of the system the name of what it befell.
func named<Result: ~Copyable>(
  _ path: String, _ body: () throws(SystemError) -> Result
) throws(JournalError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw JournalError(path, error)
  }
}
