import HoldfastCFFmpeg

/// Memory that libavformat reads or writes by calling back.
struct MemoryIO: ~Copyable {
  let raw: UnsafeMutablePointer<AVIOContext>

  typealias Callback = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32

  /// Calls back with `object`, which has to live as long; without `write` it is for reading.
  init(_ object: AnyObject, read: Callback? = nil, write: Callback? = nil) throws(FFmpegError) {
    let size = 64 * 1024
    guard let buffer = av_malloc(size) else { throw .outOfMemory("av_malloc") }
    let raw = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(size), write == nil ? 0 : 1,
      Unmanaged.passUnretained(object).toOpaque(), read, write, nil)
    guard let raw else {
      av_free(buffer)
      throw .outOfMemory("avio_alloc_context")
    }
    raw.pointee.seekable = 0
    self.raw = raw
  }

  deinit {
    av_free(raw.pointee.buffer)
    release(raw, avio_context_free)
  }
}

struct MemoryOutput: ~Copyable {
  private let io: MemoryIO
  private let collected: Collected

  var raw: UnsafeMutablePointer<AVIOContext> { io.raw }

  private final class Collected {
    var bytes: [UInt8] = []
    /// The end offset of each write.
    var ends: [Int] = []
  }

  /// With a `packetSize`, limits the muxer's packets to that many bytes.
  init(packetSize: Int = 0) throws(FFmpegError) {
    let collected = Collected()
    let io = try MemoryIO(collected, write: Self.collect)
    io.raw.pointee.max_packet_size = Int32(clamping: packetSize)
    self.io = io
    self.collected = collected
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

  private static let collect: MemoryIO.Callback = { opaque, bytes, count in
    guard let opaque else { return cff_AVERROR_EINVAL }
    let collected = Unmanaged<Collected>.fromOpaque(opaque).takeUnretainedValue()
    collected.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    collected.ends.append(collected.bytes.count)
    return count
  }
}
