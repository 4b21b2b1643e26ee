import HoldfastCFFmpeg

struct MemoryOutput: ~Copyable {
  let raw: UnsafeMutablePointer<AVIOContext>
  private let collected: Collected

  private final class Collected {
    var bytes: [UInt8] = []
    /// The end offset of each write.
    var ends: [Int] = []
  }

  /// With a `packetSize`, limits the muxer's packets to that many bytes.
  init(packetSize: Int = 0) throws(FFmpegError) {
    let collected = Collected()
    let size = 64 * 1024
    guard let buffer = av_malloc(size) else { throw .outOfMemory("av_malloc") }
    let raw = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(size), 1,
      Unmanaged.passUnretained(collected).toOpaque(), nil, Self.collect, nil)
    guard let raw else {
      av_free(buffer)
      throw .outOfMemory("avio_alloc_context")
    }
    raw.pointee.seekable = 0
    raw.pointee.max_packet_size = Int32(clamping: packetSize)
    self.collected = collected
    self.raw = raw
  }

  deinit {
    av_free(raw.pointee.buffer)
    var raw: UnsafeMutablePointer<AVIOContext>? = raw
    avio_context_free(&raw)
  }

  func take() -> [UInt8] {
    defer {
      collected.bytes = []
      collected.ends.removeAll(keepingCapacity: true)
    }
    return collected.bytes
  }

  /// Passes each packet since the last call to `body`; the memory is reused.
  func takePackets(_ body: (borrowing Span<UInt8>) -> Void) {
    var bytes: [UInt8] = []
    swap(&bytes, &collected.bytes)
    defer {
      bytes.removeAll(keepingCapacity: true)
      swap(&bytes, &collected.bytes)
      collected.ends.removeAll(keepingCapacity: true)
    }
    var start = 0
    for end in collected.ends {
      body(bytes.span.extracting(start..<end))
      start = end
    }
  }

  private static let collect:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
      opaque, bytes, count in
      guard let opaque else { return cff_AVERROR_EINVAL }
      let collected = Unmanaged<Collected>.fromOpaque(opaque).takeUnretainedValue()
      collected.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
      collected.ends.append(collected.bytes.count)
      return count
    }
}
