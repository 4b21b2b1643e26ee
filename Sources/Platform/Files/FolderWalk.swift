import Glibc
import HoldfastCPlatform

/// The way to a folder, one name at a time.
///
/// Root follows a symbolic link only if the link and its folder belong to root and nobody else can write there. With any
/// other one, the user who placed it could lead root's next call anywhere.
struct FolderWalk: ~Copyable {
  /// The folder reached so far, opened with O_PATH.
  private(set) var folder: FileDescriptor
  private let path: String
  private var names: ArraySlice<Substring>
  private var links = 0

  /// As in the kernel.
  private static let maxLinks = 40

  init(_ path: String) throws(SystemError) {
    self.path = path
    folder = try Self.start(path)
    names = Self.names(in: path)
  }

  private static func start(_ path: String) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(opening: path.hasPrefix("/") ? "/" : ".", cp_O_PATH | O_DIRECTORY)
  }

  private static func names(in path: String) -> ArraySlice<Substring> {
    path.split(separator: "/").filter { $0 != "." }[...]
  }

  var isAtEnd: Bool { names.isEmpty }

  mutating func next() -> String? { names.popFirst().map(String.init) }

  /// Enters the folder `name`, or begins to follow a link of that name.
  mutating func enter(_ name: String) throws(SystemError) {
    let flags = cp_O_PATH | O_DIRECTORY | O_NOFOLLOW
    do throws(SystemError) {
      folder = FileDescriptor(owning: try check("open \(path)") { cp_openat(folder.raw, name, flags, 0) })
    } catch  where error.code == ENOTDIR || error.code == ELOOP {
      guard try follow(name) else { throw error }
    }
  }

  /// Puts the target of the link `name` in the place of the name; false if there is no such link.
  mutating func follow(_ name: String) throws(SystemError) -> Bool {
    let raw = cp_openat(folder.raw, name, cp_O_PATH | O_NOFOLLOW, 0)
    guard raw >= 0 else { return false }
    let link = FileDescriptor(owning: raw)
    let status = try link.status(path)
    guard status.st_mode & S_IFMT == S_IFLNK else { return false }
    guard try mayFollow(status), links < Self.maxLinks else {
      throw SystemError(operation: "follow the link \(name) of \(path)", code: ELOOP)
    }
    links += 1
    let target = try Self.target(of: link, path)
    if target.hasPrefix("/") { folder = try Self.start(target) }
    names = Self.names(in: target) + names
    return true
  }

  private func mayFollow(_ link: stat) throws(SystemError) -> Bool {
    guard geteuid() == 0 else { return true }
    guard link.st_uid == 0 else { return false }
    return try folder.isChangedByRootOnly()
  }

  private static func target(
    of link: borrowing FileDescriptor, _ path: String
  ) throws(SystemError) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let raw = link.raw
    let count = try check("readlink \(path)") { readlinkat(raw, "", &bytes, bytes.count) }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  consuming func takeFolder() -> FileDescriptor { folder }
}

extension FileDescriptor {
  /// Whether the folder belongs to root and nobody else can write in it.
  func isChangedByRootOnly() throws(SystemError) -> Bool {
    let status = try status()
    return status.st_uid == 0 && status.st_mode & 0o022 == 0
  }

  /// Runs `body` with the file rights of the folder's owner if `isWanted` and this is root, on this thread alone.
  func withRightsOfOwner<Result: ~Copyable>(
    if isWanted: Bool, _ body: () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let status = try status()
    guard isWanted, geteuid() == 0, status.st_uid != 0 else { return try body() }
    setfsgid(status.st_gid)
    setfsuid(status.st_uid)
    defer {
      setfsuid(geteuid())
      setfsgid(getegid())
    }
    // The calls report no failure; one with an invalid user returns the current one.
    guard uid_t(bitPattern: setfsuid(.max)) == status.st_uid else {
      throw SystemError(operation: "act as user \(status.st_uid)", code: EPERM)
    }
    return try body()
  }
}
