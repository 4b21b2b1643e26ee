import HoldfastCSRT

enum SRTLibrary {
  /// Never cleaned up: that would wait for every open connection.
  private static let isStarted: Bool = {
    // Errors are returned, and reported by us.
    srt_setloglevel(LOG_CRIT)
    return srt_startup() >= 0
  }()

  static func start() throws(SRTError) {
    guard isStarted else { throw .last("srt_startup") }
  }
}

struct SRTError: Error, Hashable, CustomStringConvertible {
  let operation: String
  let code: SRT_ERRNO.RawValue
  let reason: String

  /// The thread's latest error.
  static func last(_ operation: String) -> SRTError {
    var systemCode: Int32 = 0
    let code = srt_getlasterror(&systemCode)
    return SRTError(
      operation: operation, code: code, reason: String(cString: srt_strerror(code, systemCode)))
  }

  var isTemporary: Bool {
    [SRT_EASYNCFAIL, SRT_EASYNCSND, SRT_EASYNCRCV, SRT_ETIMEOUT, SRT_ECONGEST].contains {
      $0.rawValue == code
    }
  }

  var isConnectionLost: Bool {
    [SRT_ECONNFAIL, SRT_ECONNLOST, SRT_ENOCONN, SRT_EINVSOCK, SRT_ESCLOSED].contains { $0.rawValue == code }
  }

  var description: String { "\(operation): \(reason)" }
}

/// Throws if a status of libsrt is negative.
@discardableResult
func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(SRTError) -> Int32 {
  guard status >= 0 else { throw .last(operation()) }
  return status
}
