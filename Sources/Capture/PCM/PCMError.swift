internal import Glibc
internal import HoldfastCALSA

/// A call into alsa-lib that failed: which, and its status as a positive errno.
struct PCMError: Error, Hashable {
  let operation: String
  let code: Int32

  /// Every status of alsa-lib's comes through here: negative is an error.
  @discardableResult
  static func check<Status: SignedInteger>(
    _ status: Status, _ operation: @autoclosure () -> String
  ) throws(PCMError) -> Status {
    guard status >= 0 else { throw PCMError(operation: operation(), code: Int32(-status)) }
    return status
  }

  /// Our own limit was over before the call came back.
  static func noAnswer(_ operation: String) -> PCMError {
    PCMError(operation: operation, code: ETIMEDOUT)
  }

  var reason: String {
    code == ETIMEDOUT ? "no answer from the sound system" : String(cString: snd_strerror(-code))
  }

  /// Samples were lost, or the machine slept; the stream may be started again.
  var isInterruption: Bool { code == EPIPE || code == ESTRPIPE }
}

extension PCMError: CustomStringConvertible {
  var description: String { "\(operation): \(reason)" }
}
