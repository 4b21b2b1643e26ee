import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Converts pictures to a size and pixel format, with black bars for another aspect ratio. A picture that
/// already has both is returned unchanged.
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
    guard from != side(size) else { return frame }
    let area = PictureArea(of: frame.size, in: size)
    var scaler = try scaler(from: from, to: side(area.size))
    let result = try pool.take()
    if area.size == size {
      try scaler.scale(frame, into: result)
    } else {
      try scaler.scale(frame, into: result.view(of: area))
      // Last, as the scaler writes slightly beyond its area.
      result.blacken(outside: area)
    }
    self.scaler = consume scaler
    return result
  }

  private func side(_ size: PictureSize) -> PictureScaler.Side {
    PictureScaler.Side(size: size, format: format.avPixelFormat, isFullRange: false)
  }

  /// The previous scaler if it fits, else a new one.
  private mutating func scaler(
    from: PictureScaler.Side, to: PictureScaler.Side
  ) throws(FFmpegError) -> PictureScaler {
    if let last = scaler.take(), last.from == from, last.to == to { return last }
    return try PictureScaler(from: from, to: to)
  }
}

/// Reuses a picture without other references.
struct FramePool: ~Copyable {
  let size: PictureSize
  let format: PixelFormat
  private(set) var last: Frame?

  mutating func take() throws(FFmpegError) -> Frame {
    if let last = last.take(), last.isUniquelyReferenced {
      let reference = try last.reference()
      self.last = consume last
      return reference
    }
    let fresh = try Frame(size: size, format: format)
    let reference = try fresh.reference()
    last = consume fresh
    return reference
  }
}
