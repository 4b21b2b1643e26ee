internal import CFFmpeg

/// Where a muxer writes: an array that is emptied from outside.
struct MemoryOutput: ~Copyable {
  let raw: UnsafeMutablePointer<AVIOContext>
  private let collected: Collected

  private final class Collected {
    var bytes: [UInt8] = []
  }

  init() throws(FFmpegError) {
    let collected = Collected()
    let size = 64 * 1024
    guard let buffer = av_malloc(size) else { throw .outOfMemory("av_malloc") }
    let raw = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(size), 1,
      Unmanaged.passUnretained(collected).toOpaque(), nil,
      Self.collect, nil)
    guard let raw else {
      av_free(buffer)
      throw .outOfMemory("avio_alloc_context")
    }
    raw.pointee.seekable = 0
    self.collected = collected
    self.raw = raw
  }

  deinit {
    av_free(raw.pointee.buffer)
    var raw: UnsafeMutablePointer<AVIOContext>? = raw
    avio_context_free(&raw)
  }

  func take() -> [UInt8] {
    defer { collected.bytes = [] }
    return collected.bytes
  }

  private static let collect:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
      opaque, bytes, count in
      guard let opaque else { return cff_AVERROR_EINVAL }
      let collected = Unmanaged<Collected>.fromOpaque(opaque).takeUnretainedValue()
      collected.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
      return count
    }
}
