package struct VideoFormat: Hashable, Sendable, CustomStringConvertible {
  package var size: PictureSize
  package var frameRate: FrameRate

  package init(size: PictureSize, frameRate: FrameRate) {
    self.size = size
    self.frameRate = frameRate
  }

  package var description: String { "\(size) at \(frameRate)" }
}

package enum PixelFormat: String, Hashable, Sendable, CaseIterable {
  case yuv420p, nv12, yuyv422, uyvy422, yuv422p, rgb24, bgr24, gray
}
