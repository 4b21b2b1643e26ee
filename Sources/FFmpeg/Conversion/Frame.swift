import HoldfastCFFmpeg
package import HoldfastMediaModel

/// A counted reference to a raw picture.
package struct Frame: ~Copyable, @unchecked Sendable {  // FFmpeg counts references atomically
  let raw: UnsafeMutablePointer<AVFrame>

  init() throws(FFmpegError) {
    guard let raw = av_frame_alloc() else { throw .outOfMemory("av_frame_alloc") }
    self.raw = raw
  }

  package init(size: PictureSize, format: PixelFormat) throws(FFmpegError) {
    try self.init(size: size, avFormat: format.avPixelFormat)
  }

  init(size: PictureSize, avFormat: AVPixelFormat) throws(FFmpegError) {
    let frame = try Frame(describing: size, avFormat)
    try check(av_frame_get_buffer(frame.raw, 0), "av_frame_get_buffer(\(size))")
    self = frame
  }

  init(describing size: PictureSize, _ format: AVPixelFormat) throws(FFmpegError) {
    guard let raw = av_frame_alloc() else { throw .outOfMemory("av_frame_alloc") }
    raw.pointee.width = Int32(size.width)
    raw.pointee.height = Int32(size.height)
    raw.pointee.format = format.rawValue
    self.raw = raw
  }

  /// A picture in borrowed memory; `release` is called (on any thread) after the last reference.
  package init(
    borrowing memory: UnsafeMutableRawBufferPointer, size: PictureSize, format: PixelFormat,
    bytesPerLine: Int, release: @escaping @Sendable () -> Void
  ) throws(FFmpegError) {
    let frame = try Frame(describing: size, format.avPixelFormat)
    let raw = frame.raw
    let lender = Unmanaged.passRetained(Lender(release: release))
    raw.pointee.buf.0 = av_buffer_create(
      memory.baseAddress?.assumingMemoryBound(to: UInt8.self), memory.count, Lender.callback,
      lender.toOpaque(), 0)
    let isWhole = raw.pointee.buf.0 != nil && Self.layOut(raw, in: memory, bytesPerLine: bytesPerLine)
    guard isWhole else {
      if raw.pointee.buf.0 == nil { lender.release() }
      throw FFmpegError(operation: "picture of \(memory.count) bytes for \(size)", code: cff_AVERROR_EINVAL)
    }
    self = frame
  }

  deinit { release(raw, av_frame_free) }

  package borrowing func reference() throws(FFmpegError) -> Frame {
    let other = try Frame()
    try check(av_frame_ref(other.raw, raw), "av_frame_ref")
    return other
  }

  /// Whether this is the only reference, so that drawing is safe.
  package var isUniquelyReferenced: Bool { av_frame_is_writable(raw) > 0 }

  package var size: PictureSize {
    PictureSize(width: Int(raw.pointee.width), height: Int(raw.pointee.height))
  }

  /// The bytes of a plane, and its stride.
  package borrowing func withPlane<Result>(
    _ index: Int, _ body: (UnsafeMutableRawBufferPointer, _ bytesPerLine: Int) -> Result
  ) -> Result {
    let (start, stride) = plane(index)
    let description = av_pix_fmt_desc_get(AVPixelFormat(rawValue: raw.pointee.format))
    let shift = index == 1 || index == 2 ? Int(description?.pointee.log2_chroma_h ?? 0) : 0
    let lines = (size.height + (1 << shift) - 1) >> shift
    return body(UnsafeMutableRawBufferPointer(start: start, count: start == nil ? 0 : stride * lines), stride)
  }

  private borrowing func plane(_ index: Int) -> (UnsafeMutablePointer<UInt8>?, Int) {
    switch index {
    case 0: (raw.pointee.data.0, Int(raw.pointee.linesize.0))
    case 1: (raw.pointee.data.1, Int(raw.pointee.linesize.1))
    case 2: (raw.pointee.data.2, Int(raw.pointee.linesize.2))
    default: (nil, 0)
    }
  }

  /// Lays the planes out in `memory`, consecutively as in V4L2; false if it is too small.
  private static func layOut(
    _ raw: UnsafeMutablePointer<AVFrame>, in memory: UnsafeMutableRawBufferPointer, bytesPerLine: Int
  ) -> Bool {
    let format = AVPixelFormat(rawValue: raw.pointee.format)
    guard let description = av_pix_fmt_desc_get(format), let base = memory.baseAddress else { return false }
    let height = Int(raw.pointee.height)
    let chromaHeight =
      (height + (1 << Int(description.pointee.log2_chroma_h)) - 1) >> description.pointee.log2_chroma_h
    let planes = Int(av_pix_fmt_count_planes(format))
    var offset = 0
    for index in 0..<planes {
      let halved = planes == 3 && index > 0
      let stride = halved ? bytesPerLine >> description.pointee.log2_chroma_w : bytesPerLine
      let start = base.assumingMemoryBound(to: UInt8.self) + offset
      withUnsafeMutableBytes(of: &raw.pointee.data) {
        $0.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)[index] = start
      }
      withUnsafeMutableBytes(of: &raw.pointee.linesize) {
        $0.bindMemory(to: Int32.self)[index] = Int32(clamping: stride)
      }
      offset += stride * (index == 0 ? height : chromaHeight)
    }
    return offset <= memory.count
  }
}

private final class Lender: Sendable {
  private let release: @Sendable () -> Void

  init(release: @escaping @Sendable () -> Void) { self.release = release }

  static let callback: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?) -> Void = {
    opaque, _ in
    guard let opaque else { return }
    Unmanaged<Lender>.fromOpaque(opaque).takeRetainedValue().release()
  }
}
