import HoldfastCFFmpeg
package import HoldfastMediaModel

extension Frame {
  borrowing func view(of area: PictureArea) throws(FFmpegError) -> Frame {
    let view = try reference()
    view.raw.pointee.width = Int32(area.size.width)
    view.raw.pointee.height = Int32(area.size.height)
    guard let description = av_pix_fmt_desc_get(AVPixelFormat(rawValue: raw.pointee.format)) else {
      return view
    }
    let luma = area.y * Int(raw.pointee.linesize.0) + area.x * Int(description.pointee.comp.0.step)
    let chromaX = area.x >> Int(description.pointee.log2_chroma_w)
    let chromaY = area.y >> Int(description.pointee.log2_chroma_h)
    let first = chromaY * Int(raw.pointee.linesize.1) + chromaX * Int(description.pointee.comp.1.step)
    let second = chromaY * Int(raw.pointee.linesize.2) + chromaX * Int(description.pointee.comp.2.step)
    view.raw.pointee.data.0 = raw.pointee.data.0.map { $0 + luma }
    view.raw.pointee.data.1 = raw.pointee.data.1.map { $0 + first }
    view.raw.pointee.data.2 = raw.pointee.data.2.map { $0 + second }
    return view
  }

  /// Blackens the picture outside `area`, in encoder input formats.
  borrowing func blacken(outside area: PictureArea) {
    for bar in area.bars(in: PictureArea(x: 0, y: 0, size: size)) { fill(bar, luma: 16) }
  }

  /// Makes an area grey, in encoder input formats.
  package borrowing func fill(_ area: PictureArea, luma: UInt8) {
    guard let description = av_pix_fmt_desc_get(AVPixelFormat(rawValue: raw.pointee.format)) else { return }
    let layout = description.pointee
    for plane in 0..<3 {
      let step = Int(plane == 0 ? layout.comp.0.step : layout.comp.1.step)
      let (dx, dy) = plane == 0 ? (0, 0) : (Int(layout.log2_chroma_w), Int(layout.log2_chroma_h))
      let (start, end) = ((area.x >> dx) * step, (area.maxX >> dx) * step)
      withPlane(plane) { bytes, bytesPerLine in
        guard bytes.baseAddress != nil, start < end else { return }
        for row in area.y >> dy..<area.maxY >> dy {
          let line = UnsafeMutableRawBufferPointer(
            rebasing: bytes[row * bytesPerLine + start..<row * bytesPerLine + end])
          _ = line.initializeMemory(as: UInt8.self, repeating: plane == 0 ? luma : 128)
        }
      }
    }
  }
}

extension Frame {
  package init(black size: PictureSize, format: PixelFormat) throws(FFmpegError) {
    try self.init(size: size, format: format)
    for plane in 0..<3 {
      withPlane(plane) { bytes, _ in
        _ = bytes.initializeMemory(as: UInt8.self, repeating: plane == 0 ? 16 : 128)
      }
    }
  }
}
