package struct VideoFormat: Hashable, Sendable, CustomStringConvertible {
  package var size: PictureSize
  package var frameRate: FrameRate

  package init(size: PictureSize, frameRate: FrameRate) {
    self.size = size
    self.frameRate = frameRate
  }

  package var description: String { "\(size) at \(frameRate)" }
}
