import HoldfastCSQLite

/// A value of SQL.
enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)

  init(_ integer: Int64?) { self = integer.map(Self.integer) ?? .null }

  init(_ text: String?) { self = text.map(Self.text) ?? .null }

  /// All 64 bits; `SQLiteRow.count` reads it.
  static func count(_ count: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: count)) }
}

/// The row that a statement is at; valid until its next step.
struct SQLiteRow {
  fileprivate let raw: OpaquePointer

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func count(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

  /// Nil also of bytes that are not UTF-8.
  func text(_ column: Int32) -> String? {
    guard let text = sqlite3_column_text(raw, column) else { return nil }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(raw, column)))
    return String(validating: bytes, as: UTF8.self)
  }
}

/// A prepared statement: the one owner of its handle, and guarded by the owner of its connection.
final class SQLiteStatement {
  private let raw: OpaquePointer
  private let connection: OpaquePointer
  private let sql: String

  init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
    var raw: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &raw, nil)
    guard code == SQLITE_OK, let raw else { throw SQLiteError(Self.operation(sql), code, connection) }
    self.raw = raw
    self.connection = connection
    self.sql = sql
  }

  deinit { sqlite3_finalize(raw) }

  /// Runs the statement, and calls `receive` with each row.
  func run(_ values: [SQLiteValue], _ receive: (SQLiteRow) -> Void) throws(SQLiteError) {
    defer {
      sqlite3_reset(raw)
      sqlite3_clear_bindings(raw)
    }
    for (index, value) in values.enumerated() { try check(bind(value, at: Int32(index) + 1)) }
    while true {
      switch sqlite3_step(raw) {
      case SQLITE_ROW: receive(SQLiteRow(raw: raw))
      case SQLITE_DONE: return
      case let code: throw SQLiteError(Self.operation(sql), code, connection)
      }
    }
  }

  private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(raw, index)
    case .integer(let integer): return sqlite3_bind_int64(raw, index, integer)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          csqlite_bind_text(raw, index, $0.baseAddress, sqlite3_uint64($0.count))
        }
      }
    }
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw SQLiteError(Self.operation(sql), code, connection) }
  }

  /// Its first word: the values are nobody's business.
  static func operation(_ sql: String) -> String { String(sql.prefix { !$0.isWhitespace }).lowercased() }
}
