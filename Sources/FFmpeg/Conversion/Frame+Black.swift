package import HoldfastMediaModel

extension Frame {
  /// A black picture; `format` is one that an encoder takes, 4:2:0.
  package init(black size: PictureSize, format: PixelFormat) throws(FFmpegError) {
    try self.init(size: size, format: format)
    for plane in 0..<3 {
      withPlane(plane) { bytes, _ in
        _ = bytes.initializeMemory(as: UInt8.self, repeating: plane == 0 ? 16 : 128)
      }
    }
  }
}
