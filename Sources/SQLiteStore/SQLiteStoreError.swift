package import HoldfastMediaModel
import HoldfastPlatform
import HoldfastStores

/// Why a store can't be opened or copied.
package typealias SQLiteStoreError = Failure<SQLiteStoreFault>

package enum SQLiteStoreFault: String, Hashable, Sendable, CaseIterable {
  /// Another hub has the file open.
  case inUse
  /// Another program's file, or damaged.
  case foreign
  /// Written by a newer program.
  case newer
  /// The file doesn't belong to the log beside it.
  case foreignLog
  /// There is no store to copy.
  case missing
  /// There is already a file where the copy is to go.
  case exists
  /// The system or SQLite, in its own words.
  case system
}

extension SQLiteStoreError {
  static func inUse(_ path: String, by process: Int32?) -> Self {
    Self(
      .inUse, "another hub has \(path) open" + (process.map { " (process \($0))" } ?? ""),
      hint: "stop that hub, give this one another file, or run several hubs with --store redis://HOST")
  }

  static func foreign(_ path: String) -> Self {
    Self(
      .foreign, "\(path) is not a store of sessions, or damaged",
      hint: "give another file, or put a copy made by `holdfast hub --backup` in its place")
  }

  static func empty(_ path: String) -> Self {
    Self(
      .foreign, "\(path) is empty",
      hint: "put a copy made by `holdfast hub --backup` in its place, or remove it to begin without sessions")
  }

  static func newer(_ path: String, found: Int64, known: Int64) -> Self {
    Self(
      .newer, "\(path) was written by a newer holdfast (form \(found), this one knows up to \(known))",
      hint: "update this holdfast, or give another file")
  }

  /// SQLite would take what is in the log for changes of the file.
  static func foreignLog(_ path: String, log: String, isMissing: Bool) -> Self {
    Self(
      .foreignLog, "\(log) does not belong to \(path), which is \(isMissing ? "missing" : "a copy")",
      hint: "remove \(log)" + (isMissing ? ", or put \(path) back where it was" : " and \(path)-shm"))
  }

  static func missing(_ path: String) -> Self {
    Self(.missing, "there is no \(path)", hint: "name the file that the hub uses, with the hub's own options")
  }

  static func exists(_ path: String) -> Self {
    Self(.exists, "\(path) already exists", hint: "choose another name, or remove it")
  }

  init(_ path: String, _ error: SystemError) {
    let hint =
      error.isOutOfSpace
      ? "free some space" : error.isNotPermitted ? "check its permissions and its folder's" : "check the disk"
    self.init(.system, "\(path): \(error)", hint: hint)
  }

  init(_ path: String, _ error: SQLiteError) {
    switch error.trouble {
    case .full: self.init(.system, "\(path): \(error)", hint: "free some space")
    case .readOnly: self.init(.system, "\(path): \(error)", hint: "make the file and its folder writable")
    case .lost:
      self.init(.system, "\(path): \(error)", hint: "find out what else uses the file, and try again")
    case .notConfirmed, .failed: self.init(.system, "\(path): \(error)", hint: "check the disk and the file")
    }
  }
}

/// Adds the path to an error of the system.
func named<Result: ~Copyable>(
  _ path: String, _ body: () throws(SystemError) -> Result
) throws(SQLiteStoreError) -> Result {
  try mapError(body()) { (error: SystemError) in SQLiteStoreError(path, error) }
}

/// Adds the path to an error of SQLite.
func named<Result>(
  _ path: String, _ body: () throws(SQLiteError) -> Result
) throws(SQLiteStoreError) -> Result {
  try mapError(body()) { (error: SQLiteError) in SQLiteStoreError(path, error) }
}
