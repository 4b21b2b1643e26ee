import HoldfastCSQLite
import HoldfastPlatform
import HoldfastStores

/// What SQLite says of a call that failed.
struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  let operation: String
  /// With the details that SQLite calls extended.
  let code: Int32
  let message: String
  /// The system's error below it; 0 if there is none.
  let systemCode: Int32

  /// The last failure of a connection; nil where none could be made.
  init(_ operation: String, _ code: Int32, _ connection: OpaquePointer?) {
    self.operation = operation
    self.code = connection.map { sqlite3_extended_errcode($0) } ?? code
    let message = connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    self.message = message.map { String(cString: $0) } ?? "error \(code)"
    systemCode = Self.isOfSystem(code) ? connection.map { sqlite3_system_errno($0) } ?? 0 : 0
  }

  init(_ operation: String, code: Int32 = SQLITE_ERROR, _ message: String, system: Int32 = 0) {
    self.operation = operation
    self.code = code
    self.message = message
    systemCode = system
  }

  /// SQLite keeps the system's error of an earlier call.
  private static func isOfSystem(_ code: Int32) -> Bool {
    [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF)
  }

  /// A write or its sync: what earlier calls wrote without a sync may be lost, although later ones succeed.
  var isOfDisk: Bool { code & 0xFF == SQLITE_IOERR }

  /// Not a database, or one that is damaged.
  var isOfForeignFile: Bool { [SQLITE_NOTADB, SQLITE_CORRUPT].contains(code & 0xFF) }

  var description: String {
    guard systemCode != 0 else { return "\(operation): \(message)" }
    return "\(operation): \(message): \(system.reason)"
  }

  private var system: SystemError { SystemError(operation: operation, code: systemCode) }

  var trouble: StoreTrouble {
    switch code & 0xFF {
    case SQLITE_FULL: .full(description)
    case SQLITE_READONLY: .readOnly(description)
    case SQLITE_BUSY, SQLITE_LOCKED: .lost(description)
    case _ where system.isOutOfSpace: .full(description)
    case _ where system.isRefusal: .readOnly(description)
    default: .failed(description)
    }
  }
}
