import HoldfastCSRT

/// libsrt, which is started once in a process.
enum SRTLibrary {
  /// It ends with the process: closing it earlier would wait for every connection that somebody still has.
  private static let isStarted: Bool = {
    // What matters comes back as an error, which we report.
    srt_setloglevel(LOG_CRIT)
    return srt_startup() >= 0
  }()

  static func start() throws(SRTError) {
    guard isStarted else { throw .last("srt_startup") }
  }
}

/// A call into libsrt that failed: which, and what libsrt says of it.
struct SRTError: Error, Hashable {
  let operation: String
  let code: SRT_ERRNO.RawValue
  let reason: String

  /// The error that the library has just reported to this thread.
  static func last(_ operation: String) -> SRTError {
    var systemCode: Int32 = 0
    let code = srt_getlasterror(&systemCode)
    return SRTError(
      operation: operation, code: code, reason: String(cString: srt_strerror(code, systemCode)))
  }

  /// To be tried again later.
  var isTemporary: Bool {
    [SRT_EASYNCFAIL, SRT_EASYNCSND, SRT_EASYNCRCV, SRT_ETIMEOUT, SRT_ECONGEST].contains {
      $0.rawValue == code
    }
  }

  var isConnectionLost: Bool {
    [SRT_ECONNFAIL, SRT_ECONNLOST, SRT_ENOCONN, SRT_EINVSOCK, SRT_ESCLOSED].contains { $0.rawValue == code }
  }
}

extension SRTError: CustomStringConvertible {
  var description: String { "\(operation): \(reason)" }
}

/// Every status of libsrt's comes through here: negative is an error.
@discardableResult
func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(SRTError) -> Int32 {
  guard status >= 0 else { throw .last(operation()) }
  return status
}
