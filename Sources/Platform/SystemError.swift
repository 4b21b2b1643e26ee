internal import CPlatform
internal import Glibc

/// A system call that failed: which, on what, and why.
public struct SystemError: Error, Hashable, Sendable {
  public let operation: String
  public let code: Int32

  public init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// The error that the C library has just reported.
  public static func last(_ operation: String) -> SystemError {
    SystemError(operation: operation, code: cp_errno())
  }

  public var reason: String { String(cString: strerror(code)) }
}

extension SystemError: CustomStringConvertible {
  public var description: String { "\(operation): \(reason)" }
}

/// Runs a call that answers -1 on failure, again when a signal interrupted it; every errno comes through here.
@discardableResult
public func check<Result: SignedInteger>(
  _ operation: @autoclosure () -> String, _ call: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let code = cp_errno()
    if code != EINTR { throw SystemError(operation: operation(), code: code) }
  }
}
