import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Scales pictures into areas of other pictures, and writes nowhere else.
package struct PictureInserter: ~Copyable {
  private var scaler: PictureScaler?
  private var buffer: FramePool?

  package init() {}

  /// Draws a part of `picture` into an area of `result`, whose format is one of an encoder's input. Nobody else may read
  /// `result` meanwhile. Positions and lengths are even.
  package mutating func draw(
    _ part: PictureArea, of picture: borrowing Frame, into result: borrowing Frame, at area: PictureArea
  ) throws(FFmpegError) {
    let view = try picture.view(of: part)
    let (from, to) = (
      view.side, PictureScaler.Side(size: area.size, format: result.side.format, isFullRange: false)
    )
    guard from != to else { return try result.copy(view, to: area) }
    var scaler = try scaler(from: from, to: to)
    if area.size == result.size || scaler.canWrite(into: area) {
      try scaler.scale(view, into: result.view(of: area))
    } else {
      var buffer = buffer.take() ?? FramePool(size: area.size, avFormat: to.format)
      if buffer.size != area.size || buffer.avFormat != to.format {
        buffer = FramePool(size: area.size, avFormat: to.format)
      }
      let scaled = try buffer.take()
      try scaler.scale(view, into: scaled)
      try result.copy(scaled, to: area)
      self.buffer = consume buffer
    }
    self.scaler = consume scaler
  }

  /// The previous scaler if it fits, else a new one.
  private mutating func scaler(
    from: PictureScaler.Side, to: PictureScaler.Side
  ) throws(FFmpegError) -> PictureScaler {
    if let last = scaler.take(), last.from == from, last.to == to { return last }
    return try PictureScaler(from: from, to: to)
  }
}

extension Frame {
  /// Copies a picture of the same format.
  package borrowing func copy(_ picture: borrowing Frame, to area: PictureArea) throws(FFmpegError) {
    try view(of: area).replace(with: picture)
  }

  private borrowing func replace(with picture: borrowing Frame) throws(FFmpegError) {
    try check(av_frame_copy(raw, picture.raw), "av_frame_copy")
  }

  /// Copies an area of a picture of the same format and size.
  package borrowing func copy(_ area: PictureArea, from picture: borrowing Frame) throws(FFmpegError) {
    try copy(picture.view(of: area), to: area)
  }
}
