import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Packs a track's media packets into RTP packets with FFmpeg's muxer.
///
/// FFmpeg's sender reports are disabled: they use the time of the call as media time, wrong after an
/// interruption.
package struct RTPPacketizer: ~Copyable {
  private var muxer: Muxer
  private let track: Track
  /// A keyframe took other headers than the session's description has.
  private var repeatsHeaders = false
  private let clockRate: Int
  private let firstTimestamp: UInt32
  private var headers: RTPHeaders

  package static func canCarry(_ codec: Codec) -> Bool {
    switch codec {
    case .h264, .hevc, .aac, .opus: true
    case .av1: false
    }
  }

  static func requireSupport(for codec: Codec) throws(FFmpegError) {
    guard canCarry(codec) else {
      throw FFmpegError(operation: "\(codec.name) over RTP", code: cff_AVERROR_ENCODER_NOT_FOUND)
    }
  }

  /// `source` is the SSRC, `timestamp` and `sequence` the first numbers; all should be random.
  package init(
    track: Track, payloadType: Int, packetSize: Int = 1400, source: UInt32, timestamp: UInt32,
    sequence: UInt16
  ) throws(FFmpegError) {
    try Self.requireSupport(for: track.codec)
    let muxer = try Muxer(
      container: "rtp", tracks: [track],
      options: [("rtpflags", "skip_rtcp"), ("payload_type", String(payloadType))], packetSize: packetSize)
    clockRate = muxer.timescale(of: track.kind) ?? 90_000
    self.track = track
    firstTimestamp = timestamp
    headers = RTPHeaders(source: source, sequence: sequence)
    self.muxer = muxer
  }

  package var source: UInt32 { headers.source }
  package var packetCount: UInt32 { headers.packetCount }
  package var octetCount: UInt32 { headers.octetCount }

  package func timestamp(at time: MediaTime) -> UInt32 {
    firstTimestamp &+ UInt32(truncatingIfNeeded: time.ticks(timescale: clockRate))
  }

  /// Passes each resulting RTP packet to `body`.
  package mutating func write(
    _ packet: MediaPacket, _ body: (borrowing Span<UInt8>) -> Void
  ) throws(FFmpegError) {
    let headers = packet.headers ?? track.headers
    if headers != track.headers { repeatsHeaders = true }
    if repeatsHeaders, packet.isKeyframe {
      try muxer.write(packet, as: track.codec.withParameterSets(of: headers, packet.bytes))
    } else {
      try muxer.write(packet)
    }
    // Otherwise the muxer would pack several AAC packets together.
    if track.codec == .aac { try muxer.writeEmpty() }
    let timestamp = timestamp(at: packet.presentationTime)
    var numbered = self.headers
    let isAAC = track.codec == .aac
    muxer.takePackets { piece in
      guard !isAAC || !Self.isEmptySound(piece) else { return }
      numbered.stamp(piece, timestamp: timestamp, body)
    }
    self.headers = numbered
  }

  /// Whether the packet is one empty access unit (RFC 3640).
  private static func isEmptySound(_ packet: borrowing Span<UInt8>) -> Bool {
    packet.count == RTPHeaders.size + 4 && packet[RTPHeaders.size + 2] == 0
      && packet[RTPHeaders.size + 3] == 0
  }
}

/// Numbers an RTP source's packets (RFC 3550, 5.1).
private struct RTPHeaders {
  static let size = 12

  let source: UInt32
  fileprivate var sequence: UInt16
  private(set) var packetCount: UInt32 = 0
  private(set) var octetCount: UInt32 = 0
  fileprivate var packet: [UInt8] = []

  mutating func stamp(
    _ piece: borrowing Span<UInt8>, timestamp: UInt32, _ body: (borrowing Span<UInt8>) -> Void
  ) {
    guard piece.count >= Self.size else { return }
    packet.removeAll(keepingCapacity: true)
    piece.withUnsafeBufferPointer { packet.append(contentsOf: $0) }
    put(UInt32(sequence), bytes: 2, at: 2)
    put(timestamp, bytes: 4, at: 4)
    put(source, bytes: 4, at: 8)
    sequence &+= 1
    packetCount &+= 1
    octetCount &+= UInt32(truncatingIfNeeded: piece.count - Self.size)
    body(packet.span)
  }

  private mutating func put(_ value: UInt32, bytes: Int, at offset: Int) {
    for index in 0..<bytes {
      packet[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(bytes - 1 - index)))
    }
  }
}

/// The SDP of a session published to `host`, with payload types from 96 and `streamid=0`, `streamid=1`, …
package func sessionDescription(
  of tracks: [Track], title: String, host: String
) throws(FFmpegError) -> String {
  var context: UnsafeMutablePointer<AVFormatContext>?
  try check(avformat_alloc_output_context2(&context, nil, "rtp", nil), "container rtp")
  defer { avformat_free_context(context) }
  guard let context else { throw .outOfMemory("avformat_alloc_output_context2") }
  // Omits FFmpeg's name and version.
  context.pointee.flags |= AVFMT_FLAG_BITEXACT
  context.pointee.url = av_strdup(host.contains(":") ? "rtsp://[\(host)]" : "rtsp://\(host)")
  av_dict_set(&context.pointee.metadata, "title", title, 0)
  for track in tracks {
    try RTPPacketizer.requireSupport(for: track.codec)
    guard let stream = avformat_new_stream(context, nil) else { throw .outOfMemory("avformat_new_stream") }
    try stream.describe(track)
  }
  var contexts: [UnsafeMutablePointer<AVFormatContext>?] = [context]
  // The headers appear as text of at most twice their size.
  let room = 4096 + tracks.reduce(0) { $0 + 2 * $1.headers.count }
  var text = [CChar](repeating: 0, count: room)
  try check(av_sdp_create(&contexts, 1, &text, Int32(room)), "av_sdp_create")
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
