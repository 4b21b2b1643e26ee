internal import CFFmpeg
public import MediaModel

/// Brings pictures to one size and pixel format. A picture that has both already passes through untouched.
public struct FrameConverter: ~Copyable {
  private let size: PictureSize
  private let format: PixelFormat
  private var scaler: OpaquePointer?
  private var pool: FramePool

  public init(size: PictureSize, format: PixelFormat) {
    self.size = size
    self.format = format
    pool = FramePool(size: size, format: format)
  }

  deinit {
    sws_freeContext(scaler)
  }

  public mutating func convert(_ frame: consuming Frame) throws(FFmpegError) -> Frame {
    let source = AVPixelFormat(rawValue: frame.raw.pointee.format)
    let isFullRange = frame.raw.pointee.color_range == AVCOL_RANGE_JPEG || Self.isJPEG(source)
    guard frame.size != size || source != format.avPixelFormat || isFullRange else { return frame }
    scaler = sws_getCachedContext(
      scaler, frame.raw.pointee.width, frame.raw.pointee.height, Self.plain(source), Int32(size.width),
      Int32(size.height), format.avPixelFormat, Int32(frame.size == size ? SWS_POINT : SWS_BILINEAR), nil,
      nil, nil)
    guard let scaler else { throw .outOfMemory("sws_getCachedContext") }
    if isFullRange {
      let coefficients = sws_getCoefficients(SWS_CS_DEFAULT)
      sws_setColorspaceDetails(scaler, coefficients, 1, coefficients, 0, 0, 1 << 16, 1 << 16)
    }
    let result = try pool.take()
    try check(sws_scale_frame(scaler, result.raw, frame.raw), "sws_scale_frame")
    return result
  }

  /// The old names of full-range formats.
  private static func isJPEG(_ format: AVPixelFormat) -> Bool {
    [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P].contains(format)
  }

  private static func plain(_ format: AVPixelFormat) -> AVPixelFormat {
    switch format {
    case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
    case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
    case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
    default: format
    }
  }
}

/// Pictures of one kind, used again when their last other holder has let go.
struct FramePool: ~Copyable {
  private let size: PictureSize
  private let format: PixelFormat
  private var last: Frame?

  init(size: PictureSize, format: PixelFormat) {
    self.size = size
    self.format = format
  }

  mutating func take() throws(FFmpegError) -> Frame {
    if let last = last.take(), last.isOnlyHold {
      let hold = try last.reference()
      self.last = consume last
      return hold
    }
    let fresh = try Frame(size: size, format: format)
    let hold = try fresh.reference()
    last = consume fresh
    return hold
  }
}
