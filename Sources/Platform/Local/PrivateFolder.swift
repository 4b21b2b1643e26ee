internal import Glibc
internal import HoldfastCPlatform
internal import HoldfastMediaModel

/// A folder that nobody else may look into, made where it isn't there.
package struct PrivateFolder: ~Copyable, Sendable {
  package let path: String
  private let file: FileDescriptor

  /// `isInSharedPlace`: others may make things beside it, so a link in its place is not trusted. `rootMayEnter`: where
  /// we are root it may be somebody else's, and is left as it is.
  package init(
    _ path: String, isInSharedPlace: Bool = false, rootMayEnter: Bool = false
  ) throws(SystemError) {
    if mkdir(path, 0o700) != 0, cp_errno() != EEXIST { throw .last("mkdir \(path)") }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isInSharedPlace ? O_NOFOLLOW : 0)
    let file = FileDescriptor(owning: try check("open \(path)") { open(path, flags) })
    var status = stat()
    try check("stat \(path)") { fstat(file.raw, &status) }
    let isOwn = status.st_uid == geteuid()
    guard isOwn || (rootMayEnter && geteuid() == 0) else {
      throw SystemError(operation: "\(path) belongs to somebody else", code: EPERM)
    }
    if isOwn, status.st_mode & 0o077 != 0 { try check("chmod \(path)") { fchmod(file.raw, 0o700) } }
    self.path = path
    self.file = file
  }

  /// Runs `body` while no other process does so with this folder; gives up after two seconds.
  package func whileAlone<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result, orElse busy: (SystemError) -> Failure
  ) throws(Failure) -> Result {
    let deadline = MonotonicTime.now + .seconds(2)
    while flock(file.raw, LOCK_EX | LOCK_NB) != 0 {
      let error = SystemError.last("flock \(path)")
      guard error.code == EWOULDBLOCK || error.code == EINTR, waitABit(until: deadline) else {
        throw busy(error)
      }
    }
    defer { flock(file.raw, LOCK_UN) }
    return try body()
  }
}

/// Before the next try of what can't be waited for; false once `deadline` is over.
func waitABit(until deadline: MonotonicTime) -> Bool {
  var nothing: [pollfd] = []
  _ = try? poll(&nothing, until: min(deadline, .now + .milliseconds(5)))
  return .now < deadline
}
