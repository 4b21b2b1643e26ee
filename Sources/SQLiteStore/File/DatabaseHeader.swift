import HoldfastPlatform

/// What the first bytes of a file say, read without SQLite, which may write to what it opens.
struct DatabaseHeader: Hashable, Sendable {
  let applicationID: Int32
  let version: Int64

  var isOurs: Bool { [SessionSchema.applicationID, SessionSchema.copyID].contains(applicationID) }

  private static let magic = Array("SQLite format 3\0".utf8)
  private static let length = 100

  enum Found: Hashable, Sendable {
    case empty, foreign
    case database(DatabaseHeader)
  }

  /// The descriptor must not be closed while this process has the file open in SQLite, which would lose its locks.
  static func read(_ file: borrowing FileDescriptor) throws(SystemError) -> Found {
    let bytes = try file.bytes(length, at: 0)
    if bytes.isEmpty { return .empty }
    guard bytes.count == length, bytes.starts(with: magic) else { return .foreign }
    return .database(
      DatabaseHeader(applicationID: integer(bytes[68..<72]), version: Int64(integer(bytes[60..<64]))))
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int32 {
    Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) })
  }
}
