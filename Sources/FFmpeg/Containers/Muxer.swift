import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Muxes packets into memory.
package struct Muxer: ~Copyable {
  private var writer: ContainerWriter
  private let output: MemoryOutput
  private var isFinished = false

  /// `container` and `options` are FFmpeg's names; a track without headers has them in its packets.
  /// Packetized containers need a `packetSize`.
  package init(
    container: String, tracks: [Track], options: [(name: String, value: String)] = [], packetSize: Int = 0
  ) throws(FFmpegError) {
    let output = try MemoryOutput(packetSize: packetSize)
    var writer = try ContainerWriter(container)
    writer.context.pointee.pb = output.raw
    writer.context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    try writer.begin(tracks, options: options)
    self.output = output
    self.writer = writer
  }

  deinit {
    // Some muxers free memory only in the trailer.
    if !isFinished { av_write_trailer(writer.context) }
  }

  /// Writes a packet, with `bytes` instead of its own if the container needs another form.
  package mutating func write(_ media: MediaPacket, as bytes: [UInt8]? = nil) throws(FFmpegError) {
    try writer.write(media, as: bytes ?? media.bytes)
  }

  /// Flushes the muxer with an empty packet at the time of the last one.
  mutating func writeEmpty() throws(FFmpegError) { try writer.writeEmpty() }

  package mutating func finish() throws(FFmpegError) {
    isFinished = true
    try check(av_write_trailer(writer.context), "av_write_trailer")
  }

  package mutating func takeBytes() -> [UInt8] {
    avio_flush(writer.context.pointee.pb)
    return output.take()
  }

  /// Passes each packet of output since the last call to `body`.
  mutating func takePackets(_ body: (borrowing Span<UInt8>) -> Void) { output.takePackets(body) }

  func timescale(of track: TrackKind) -> Int? { writer.timescale(of: track) }
}
