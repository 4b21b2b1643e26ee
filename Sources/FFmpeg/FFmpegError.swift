internal import HoldfastCFFmpeg

/// A failed call of FFmpeg: the operation and its status.
package struct FFmpegError: Error, Hashable, Sendable, CustomStringConvertible {
  package let operation: String
  package let code: Int32

  package init(operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  package var reason: String {
    var text = [CChar](repeating: 0, count: 128)
    av_strerror(code, &text, text.count)
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  /// The errno; nil where the error is FFmpeg's own.
  package var systemCode: Int32? { (-4095..<0).contains(code) ? -code : nil }

  package var isCancelled: Bool { code == cff_AVERROR_EXIT }

  static func outOfMemory(_ operation: String) -> FFmpegError {
    FFmpegError(operation: operation, code: cff_AVERROR_ENOMEM)
  }

  package var description: String { "\(operation): \(reason)" }
}

/// Throws a negative status.
@discardableResult
func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(FFmpegError) -> Int32 {
  guard status >= 0 else { throw FFmpegError(operation: operation(), code: status) }
  return status
}

/// Keeps FFmpeg's libraries from writing to standard error; errors are reported by their status.
package func silenceFFmpeg() { av_log_set_level(AV_LOG_QUIET) }
