internal import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Brings pictures to one size and pixel format, with black bars where they have another shape. A picture that has both
/// already passes through untouched.
package struct FrameConverter: ~Copyable {
  private let size: PictureSize
  private let format: PixelFormat
  private var scaler: PictureScaler?
  private var pool: FramePool

  package init(size: PictureSize, format: PixelFormat) {
    self.size = size
    self.format = format
    pool = FramePool(size: size, format: format)
  }

  package mutating func convert(_ frame: consuming Frame) throws(FFmpegError) -> Frame {
    let from = frame.side
    let wanted = PictureScaler.Side(size: size, format: format.avPixelFormat, isFullRange: false)
    guard from != wanted else { return frame }
    let area = PictureArea(of: frame.size, in: size)
    var scaler = try scaler(from: from, to: area.size)
    let result = try pool.take()
    if area.size == size {
      try scaler.scale(frame, into: result)
    } else {
      try scaler.scale(frame, into: result.view(of: area))
      // Afterwards, because the scaler writes some pixels beyond its last one.
      result.blacken(outside: area)
    }
    self.scaler = consume scaler
    return result
  }

  /// The last one, where that fits.
  private mutating func scaler(
    from: PictureScaler.Side, to size: PictureSize
  ) throws(FFmpegError) -> PictureScaler {
    let to = PictureScaler.Side(size: size, format: format.avPixelFormat, isFullRange: false)
    if let last = scaler.take(), last.from == from, last.to == to { return last }
    return try PictureScaler(from: from, to: to)
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
