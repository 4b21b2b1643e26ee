internal import HoldfastCFFmpeg
internal import HoldfastMediaModel

/// Brings pictures of one shape to another one.
///
/// The ranges are told before it is opened: told later, they are not looked at where nothing else differs.
struct PictureScaler: ~Copyable {
  struct Side: Hashable {
    var size: PictureSize
    var format: AVPixelFormat
    /// All 256 steps of brightness.
    var isFullRange: Bool

    static func == (one: Side, other: Side) -> Bool {
      one.size == other.size && one.format == other.format && one.isFullRange == other.isFullRange
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(size)
      hasher.combine(format.rawValue)
      hasher.combine(isFullRange)
    }
  }

  let from: Side
  let to: Side
  private let raw: OpaquePointer

  init(from: Side, to: Side) throws(FFmpegError) {
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
    self.from = from
    self.to = to
    self.raw = raw
  }

  deinit {
    sws_freeContext(raw)
  }

  mutating func scale(_ source: borrowing Frame, into result: borrowing Frame) throws(FFmpegError) {
    try check(sws_scale_frame(raw, result.raw, source.raw), "sws_scale_frame")
  }
}

extension Frame {
  /// What a scaler has to know of it.
  var side: PictureScaler.Side {
    let format = AVPixelFormat(rawValue: raw.pointee.format)
    return PictureScaler.Side(
      size: size, format: format.withoutRange,
      isFullRange: raw.pointee.color_range == AVCOL_RANGE_JPEG
        || format.rawValue != format.withoutRange.rawValue
    )
  }
}

extension AVPixelFormat {
  /// Some formats have an old name of their own for the full range.
  fileprivate var withoutRange: AVPixelFormat {
    switch self {
    case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
    case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
    case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
    default: self
    }
  }
}
