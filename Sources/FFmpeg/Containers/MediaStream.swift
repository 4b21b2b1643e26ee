import HoldfastCFFmpeg

/// A fragmented MP4 file that its caller has checked, one piece after the other.
package struct MediaStream {
  let maxPixels: Int
  let next: () -> [UInt8]?

  /// Larger pictures than `maxPixels` are not decoded. `next` returns nil at the end.
  package init(maxPixels: Int, next: @escaping () -> [UInt8]?) {
    self.maxPixels = maxPixels
    self.next = next
  }
}

/// Lets libavformat read a stream.
struct StreamInput: ~Copyable {
  let raw: UnsafeMutablePointer<AVIOContext>
  private let source: Source

  private final class Source {
    private let next: () -> [UInt8]?
    private var piece: ArraySlice<UInt8> = []

    init(_ next: @escaping () -> [UInt8]?) { self.next = next }

    func read(into target: UnsafeMutableBufferPointer<UInt8>) -> Int32 {
      while piece.isEmpty {
        guard let bytes = next() else { return cff_AVERROR_EOF }
        piece = bytes[...]
      }
      let part = piece.prefix(target.count)
      _ = target.update(fromContentsOf: part)
      piece = piece.dropFirst(part.count)
      return Int32(part.count)
    }
  }

  init(_ stream: MediaStream) throws(FFmpegError) {
    let source = Source(stream.next)
    let size = 64 * 1024
    guard let buffer = av_malloc(size) else { throw .outOfMemory("av_malloc") }
    let raw = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(size), 0,
      Unmanaged.passUnretained(source).toOpaque(), Self.read, nil, nil)
    guard let raw else {
      av_free(buffer)
      throw .outOfMemory("avio_alloc_context")
    }
    raw.pointee.seekable = 0
    self.raw = raw
    self.source = source
  }

  deinit {
    av_free(raw.pointee.buffer)
    var raw: UnsafeMutablePointer<AVIOContext>? = raw
    avio_context_free(&raw)
  }

  private static let read:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
      opaque, bytes, count in
      guard let opaque, let bytes else { return cff_AVERROR_EINVAL }
      return Unmanaged<Source>.fromOpaque(opaque).takeUnretainedValue()
        .read(into: UnsafeMutableBufferPointer(start: bytes, count: Int(count)))
    }
}
