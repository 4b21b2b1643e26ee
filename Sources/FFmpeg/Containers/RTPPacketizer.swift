internal import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Makes one track's media packets into RTP packets.
///
/// FFmpeg's muxer does the packing; the numbers in the headers are ours. Its sender reports are left out: they take the
/// time of the call for that of the media, which is wrong as soon as a broadcast has been interrupted.
package struct RTPPacketizer: ~Copyable {
  private var muxer: Muxer
  private let codec: Codec
  /// Ticks of the RTP timestamps a second.
  package let clockRate: Int
  /// The timestamp of the media time 0.
  private let firstTimestamp: UInt32
  private var headers: RTPHeaders

  /// What libavformat packs.
  package static func canCarry(_ codec: Codec) -> Bool {
    switch codec {
    case .h264, .hevc, .aac, .opus: true
    case .av1: false
    }
  }

  /// `source` names the track's packets; `timestamp` and `sequence` are where the numbers begin. All three are best at
  /// random.
  package init(
    track: Track, payloadType: Int, packetSize: Int = 1400, source: UInt32, timestamp: UInt32,
    sequence: UInt16
  ) throws(FFmpegError) {
    guard Self.canCarry(track.codec) else {
      throw FFmpegError(operation: "\(track.codec.name) over RTP", code: cff_AVERROR_ENCODER_NOT_FOUND)
    }
    let muxer = try Muxer(
      container: "rtp", tracks: [track],
      options: [("rtpflags", "skip_rtcp"), ("payload_type", String(payloadType))], packetSize: packetSize)
    clockRate = muxer.timescale(of: track.kind) ?? 90_000
    codec = track.codec
    firstTimestamp = timestamp
    headers = RTPHeaders(source: source, sequence: sequence)
    self.muxer = muxer
  }

  package var source: UInt32 { headers.source }
  package var packetCount: UInt32 { headers.packetCount }
  /// Of payload.
  package var octetCount: UInt32 { headers.octetCount }

  /// The RTP timestamp of a media time.
  package func timestamp(at time: MediaTime) -> UInt32 {
    firstTimestamp &+ UInt32(truncatingIfNeeded: time.ticks(timescale: clockRate))
  }

  /// Packs a packet and shows each RTP packet that it makes; nothing of it is kept.
  package mutating func write(
    _ packet: MediaPacket, _ body: (borrowing Span<UInt8>) -> Void
  ) throws(FFmpegError) {
    try muxer.write(packet)
    // The muxer keeps sound until it knows whether the next piece fits beside it.
    if codec == .aac { try muxer.writeEmpty() }
    let timestamp = timestamp(at: packet.presentationTime)
    var headers = headers
    muxer.takePackets { piece in
      guard codec != .aac || !Self.isEmptySound(piece) else { return }
      headers.stamp(piece, timestamp: timestamp, body)
    }
    self.headers = headers
  }

  /// Behind the header one access unit of no bytes (RFC 3640).
  private static func isEmptySound(_ packet: borrowing Span<UInt8>) -> Bool {
    packet.count == RTPHeaders.size + 4 && packet[RTPHeaders.size + 2] == 0
      && packet[RTPHeaders.size + 3] == 0
  }
}

/// Numbers one source's packets (RFC 3550, 5.1).
private struct RTPHeaders {
  static let size = 12

  let source: UInt32
  private var sequence: UInt16
  private(set) var packetCount: UInt32 = 0
  private(set) var octetCount: UInt32 = 0
  private var packet: [UInt8] = []

  init(source: UInt32, sequence: UInt16) {
    self.source = source
    self.sequence = sequence
  }

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
