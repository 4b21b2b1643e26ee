internal import Glibc
internal import HoldfastCPlatform

/// A failed system call: the operation and its errno.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package let operation: String
  package let code: Int32

  package init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// The current errno.
  package static func last(_ operation: String) -> SystemError {
    SystemError(operation: operation, code: cp_errno())
  }

  package var reason: String { String(cString: strerror(code)) }

  /// A file's format is not the expected one.
  package static func foreignFormat(_ operation: String) -> SystemError {
    SystemError(operation: operation, code: EILSEQ)
  }

  /// A file exceeds its size limit.
  package static func tooLarge(_ path: String) -> SystemError {
    SystemError(operation: "read \(path)", code: EFBIG)
  }

  package var description: String { "\(operation): \(reason)" }
}

/// What an error means for a file or a connection.
extension SystemError {
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  /// Something of that name exists already.
  package var isThere: Bool { code == EEXIST }
  /// A symbolic link stands where none is followed.
  package var isLink: Bool { code == ELOOP }
  /// It is no regular file.
  package var isWrongKind: Bool { code == EINVAL || code == EISDIR }
  package var isNotPermitted: Bool { code == EACCES || code == EPERM }
  package var isRefusal: Bool { isNotPermitted || code == EROFS }
  /// The disk, the user's quota or the file size limit is exhausted.
  package var isForWantOfRoom: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
  /// Nobody listens at a unix socket, or there is none.
  package var isNobodyThere: Bool { code == ECONNREFUSED || isNotFound }
  package var isTimeOut: Bool { code == ETIMEDOUT || code == EAGAIN }
  /// The other end has gone.
  package var isHangUp: Bool { code == ECONNRESET || code == EPIPE }
}

/// Runs a call that returns -1 on failure, and repeats it when a signal interrupted it.
@discardableResult
package func check<Result: SignedInteger>(
  _ operation: @autoclosure () -> String, _ call: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let code = cp_errno()
    if code != EINTR { throw SystemError(operation: operation(), code: code) }
  }
}
