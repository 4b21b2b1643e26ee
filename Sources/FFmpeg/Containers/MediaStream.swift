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
  private let io: MemoryIO
  private let source: Source

  var raw: UnsafeMutablePointer<AVIOContext> { io.raw }

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
    io = try MemoryIO(source, read: Self.read)
    self.source = source
  }

  private static let read: MemoryIO.Callback = { opaque, bytes, count in
    guard let opaque, let bytes else { return cff_AVERROR_EINVAL }
    return Unmanaged<Source>.fromOpaque(opaque).takeUnretainedValue()
      .read(into: UnsafeMutableBufferPointer(start: bytes, count: Int(count)))
  }
}
