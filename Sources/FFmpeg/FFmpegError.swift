internal import HoldfastCFFmpeg

/// A call into FFmpeg that failed: which, and what FFmpeg says of it.
package struct FFmpegError: Error, Hashable, Sendable {
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

  /// What the operating system refused; nil where it is FFmpeg's own failure.
  package var systemCode: Int32? { (-4095..<0).contains(code) ? -code : nil }

  /// It was told not to go on.
  package var isCancelled: Bool { code == cff_AVERROR_EXIT }

  static func outOfMemory(_ operation: String) -> FFmpegError {
    FFmpegError(operation: operation, code: cff_AVERROR_ENOMEM)
  }
}

extension FFmpegError: CustomStringConvertible {
  package var description: String { "\(operation): \(reason)" }
}

/// Every status of FFmpeg's comes through here: negative is an error.
@discardableResult
func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(FFmpegError) -> Int32 {
  guard status >= 0 else { throw FFmpegError(operation: operation(), code: status) }
  return status
}
