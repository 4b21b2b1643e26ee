internal import Glibc
internal import HoldfastCPlatform

/// A system call that failed: which, on what, and why.
package struct SystemError: Error, Hashable, Sendable {
  package let operation: String
  package let code: Int32

  package init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// The error that the C library has just reported.
  package static func last(_ operation: String) -> SystemError {
    SystemError(operation: operation, code: cp_errno())
  }

  package var reason: String { String(cString: strerror(code)) }
}

extension SystemError: CustomStringConvertible {
  package var description: String { "\(operation): \(reason)" }
}

/// Runs a call that answers -1 on failure, again when a signal interrupted it; every errno comes through here.
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
