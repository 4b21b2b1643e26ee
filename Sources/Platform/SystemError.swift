import Glibc
import HoldfastCPlatform

package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package let operation: String
  package let code: Int32

  package init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// A call that has just failed, with the current errno.
  package static func last(_ operation: String) -> SystemError {
    SystemError(operation: operation, code: cp_errno())
  }

  package var reason: String { String(cString: strerror(code)) }

  package static func foreignFormat(_ operation: String) -> SystemError {
    SystemError(operation: operation, code: EILSEQ)
  }

  package static func tooLarge(_ path: String) -> SystemError {
    SystemError(operation: "read \(path)", code: EFBIG)
  }

  package var description: String { "\(operation): \(reason)" }
}

extension SystemError {
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  package var alreadyExists: Bool { code == EEXIST }
  /// A symbolic link was found where links are not followed.
  package var isLink: Bool { code == ELOOP }
  package var isWrongKind: Bool { code == EINVAL || code == EISDIR }
  package var isNotPermitted: Bool { code == EACCES || code == EPERM }
  package var isRefusal: Bool { isNotPermitted || code == EROFS }
  /// The disk, quota or file size limit is exhausted.
  package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
  /// The disk does not work, or is read-only.
  package var isOfDisk: Bool { [EIO, ENXIO, EROFS, ESTALE].contains(code) }
  /// No process listens on a unix socket, or it does not exist.
  package var isNotListening: Bool { code == ECONNREFUSED || isNotFound }
  package var isTimeOut: Bool { code == ETIMEDOUT || code == EAGAIN }
  package var isDisconnected: Bool { code == ECONNRESET || code == EPIPE }
}

/// Runs a call that returns -1 on failure; retries it after EINTR.
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
