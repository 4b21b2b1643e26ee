import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Converts pictures to a size and pixel format, with black bars for another aspect ratio. A picture that
/// already has both is returned unchanged.
package struct FrameConverter: ~Copyable {
  private let size: PictureSize
  private let format: PixelFormat
  private var inserter = PictureInserter()
  private var pool: FramePool

  package init(size: PictureSize, format: PixelFormat) {
    self.size = size
    self.format = format
    pool = FramePool(size: size, avFormat: format.avPixelFormat)
  }

  package mutating func convert(_ frame: consuming Frame) throws(FFmpegError) -> Frame {
    let wanted = PictureScaler.Side(size: size, format: format.avPixelFormat, isFullRange: false)
    guard frame.side != wanted else { return frame }
    let area = PictureArea(of: frame.size, in: size)
    let result = try pool.take()
    try inserter.draw(PictureArea(x: 0, y: 0, size: frame.size), of: frame, into: result, at: area)
    if area.size != size { result.blacken(outside: area) }
    return result
  }
}

/// Reuses a picture without other references.
struct FramePool: ~Copyable {
  let size: PictureSize
  let avFormat: AVPixelFormat
  private(set) var last: Frame?

  mutating func take() throws(FFmpegError) -> Frame {
    if let last = last.take(), last.isUniquelyReferenced {
      let reference = try last.reference()
      self.last = consume last
      return reference
    }
    let fresh = try Frame(size: size, avFormat: avFormat)
    let reference = try fresh.reference()
    last = consume fresh
    return reference
  }
}
