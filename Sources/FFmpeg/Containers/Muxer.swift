internal import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Puts packets into a container, in memory: `takeBytes` gives what has to be written or sent.
package struct Muxer: ~Copyable {
  private var writer: ContainerWriter
  private let output: MemoryOutput
  private var isFinished = false

  /// `container` and `options` are FFmpeg's names. A track without headers has them in its packets. A container of
  /// packets needs the largest `packetSize`.
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
    // Some muxers free what they hold only then.
    if !isFinished { av_write_trailer(writer.context) }
  }

  package mutating func write(_ media: MediaPacket) throws(FFmpegError) {
    try writer.write(media, as: media.bytes)
  }

  /// Writes `bytes` instead of the packet's own, where the container wants another form of them.
  package mutating func write(_ media: MediaPacket, as bytes: [UInt8]) throws(FFmpegError) {
    try writer.write(media, as: bytes)
  }

  /// Writes an empty packet at the time of the last one, which makes a muxer output what it collects.
  mutating func writeEmpty() throws(FFmpegError) {
    try writer.writeEmpty()
  }

  package mutating func finish() throws(FFmpegError) {
    isFinished = true
    try check(av_write_trailer(writer.context), "av_write_trailer")
  }

  /// What has come out since the last call.
  package mutating func takeBytes() -> [UInt8] {
    avio_flush(writer.context.pointee.pb)
    return output.take()
  }

  /// Calls `body` with each packet that has come out since the last call.
  mutating func takePackets(_ body: (borrowing Span<UInt8>) -> Void) {
    output.takePackets(body)
  }

  /// How many ticks a second the container has for `track`.
  func timescale(of track: TrackKind) -> Int? { writer.timescale(of: track) }
}
