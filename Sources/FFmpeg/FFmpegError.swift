import HoldfastCFFmpeg

/// A failed FFmpeg call and its status.
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

  /// The errno; nil for FFmpeg's own errors.
  package var systemCode: Int32? { (-4095..<0).contains(code) ? -code : nil }

  /// What the failure of a connection means.
  package enum Meaning: Hashable, Sendable { case refused, notFound, notMedia, forbidden, brokenOff, other }

  package var meaning: Meaning {
    switch code {
    case cff_AVERROR_HTTP_UNAUTHORIZED, cff_AVERROR_HTTP_FORBIDDEN: .refused
    case cff_AVERROR_HTTP_NOT_FOUND: .notFound
    case cff_AVERROR_INVALIDDATA, cff_AVERROR_PROTOCOL_NOT_FOUND, cff_AVERROR_DEMUXER_NOT_FOUND,
      cff_AVERROR_DECODER_NOT_FOUND, cff_AVERROR_ENCODER_NOT_FOUND:
      .notMedia
    // Not in the list of protocols.
    case cff_AVERROR_EINVAL: .forbidden
    case cff_AVERROR_EIO: .brokenOff
    default: .other
    }
  }

  package var isCancelled: Bool { code == cff_AVERROR_EXIT }

  static func outOfMemory(_ operation: String) -> FFmpegError {
    FFmpegError(operation: operation, code: cff_AVERROR_ENOMEM)
  }

  package var description: String { "\(operation): \(reason)" }
}

@discardableResult
func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(FFmpegError) -> Int32 {
  guard status >= 0 else { throw FFmpegError(operation: operation(), code: status) }
  return status
}

/// Calls one of the functions that free an object and clear the pointer to it.
func release<Object>(
  _ object: UnsafeMutablePointer<Object>?,
  _ free: (UnsafeMutablePointer<UnsafeMutablePointer<Object>?>?) -> Void
) {
  var object = object
  free(&object)
}

/// Disables FFmpeg's logging; errors are reported by status.
package func silenceFFmpeg() { av_log_set_level(AV_LOG_QUIET) }
