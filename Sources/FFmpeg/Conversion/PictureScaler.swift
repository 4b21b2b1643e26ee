import HoldfastCFFmpeg
import HoldfastMediaModel

/// Converts pictures between sizes and pixel formats. Sets the ranges before opening: swscale ignores a later
/// change if nothing else differs.
struct PictureScaler: ~Copyable {
  struct Side: Equatable {
    var size: PictureSize
    var format: AVPixelFormat
    var isFullRange: Bool
  }

  let from: Side
  let to: Side
  /// Nil where libyuv does the work.
  private let raw: OpaquePointer?

  /// The scaler's gathering loads take longer than plain ones on AMD's processors, and on Intel's since their microcode
  /// guards them.
  private static let avoidsGathering: Void = av_force_cpu_flags(av_get_cpu_flags() | AV_CPU_FLAG_SLOW_GATHER)

  init(from: Side, to: Side) throws(FFmpegError) {
    (self.from, self.to) = (from, to)
    raw = from.isShrunkByLibyuv(to: to) ? nil : try Self.context(from: from, to: to)
  }

  private static func context(from: Side, to: Side) throws(FFmpegError) -> OpaquePointer {
    avoidsGathering
    guard let raw = sws_alloc_context() else { throw .outOfMemory("sws_alloc_context") }
    let isResized = from.size != to.size
    let options: [(name: String, value: Int64)] = [
      ("srcw", Int64(from.size.width)), ("srch", Int64(from.size.height)),
      ("src_format", Int64(from.format.rawValue)), ("src_range", from.isFullRange ? 1 : 0),
      ("dstw", Int64(to.size.width)), ("dsth", Int64(to.size.height)),
      ("dst_format", Int64(to.format.rawValue)), ("dst_range", to.isFullRange ? 1 : 0),
      ("sws_flags", Int64(isResized ? SWS_BILINEAR : SWS_POINT)),
    ]
    for option in options { av_opt_set_int(UnsafeMutableRawPointer(raw), option.name, option.value, 0) }
    let status = sws_init_context(raw, nil, nil)
    guard status >= 0 else {
      sws_freeContext(raw)
      throw FFmpegError(operation: "sws_init_context(\(from.size) to \(to.size))", code: status)
    }
    if from.format.isRGB {
      let matrix = sws_getCoefficients(matrix(for: to.size))
      sws_setColorspaceDetails(raw, matrix, 1, matrix, to.isFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
    }
    return raw
  }

  /// The colour matrix that players assume for a picture of this size, as encoders write none.
  private static func matrix(for size: PictureSize) -> Int32 {
    size.width >= 1280 || size.height > 576 ? SWS_CS_ITU709 : SWS_CS_ITU601
  }

  deinit { sws_freeContext(raw) }

  mutating func scale(_ source: borrowing Frame, into result: borrowing Frame) throws(FFmpegError) {
    if let raw {
      try check(sws_scale_frame(raw, result.raw, source.raw), "sws_scale_frame")
    } else {
      source.shrink(into: result)
    }
  }

  /// Whether it may write into a part of a picture: swscale writes whole vectors. At other positions it crashes, and with
  /// other lengths it writes beyond the area.
  func canWrite(into area: PictureArea) -> Bool {
    raw == nil || area.x % 64 == 0 && to.size.width % 64 == 0 && from.size != to.size
  }
}

extension Frame {
  var side: PictureScaler.Side {
    let format = AVPixelFormat(rawValue: raw.pointee.format)
    return PictureScaler.Side(
      size: size, format: format.withoutRange,
      isFullRange: raw.pointee.color_range == AVCOL_RANGE_JPEG || format != format.withoutRange)
  }
}

extension AVPixelFormat {
  fileprivate var isRGB: Bool {
    av_pix_fmt_desc_get(self).map { $0.pointee.flags & cff_AV_PIX_FMT_FLAG_RGB != 0 } ?? false
  }

  /// The plain format of a deprecated full-range one.
  fileprivate var withoutRange: AVPixelFormat {
    switch self {
    case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
    case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
    case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
    default: self
    }
  }
}
