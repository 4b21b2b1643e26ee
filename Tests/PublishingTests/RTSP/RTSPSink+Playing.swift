import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTSP
import TestSupport

@testable import HoldfastPublishing

extension RTSPSink {
  /// A sink whose server has accepted the publish.
  static func opened(
    _ url: String, _ media: EncodedMedia, transport: Transport = .tcp, tls: TLSSettings = TLSSettings()
  ) throws -> RTSPSink {
    let sink = RTSPSink(try RTSPURL(url), tls: tls, transport: transport)
    try sink.open(
      PublishRequest(type: .record, tracks: media.tracks), until: generousDeadline, stop: try Wakeup())
    return sink
  }

  /// Sends packets as they are due, and returns when the network has taken them.
  func play(_ packets: some Collection<MediaPacket>) throws {
    guard let first = packets.first else { return }
    let start = MonotonicTime.now
    for packet in packets {
      let due = start + (packet.decodeTime - first.decodeTime)
      try exchange { .now >= due }
      try send(packet)
    }
    try exchange { backlog == 0 }
  }

  /// Moves bytes until `isDone`, or until that has taken `length`.
  func exchange(for length: MediaTime = .seconds(30), until isDone: () -> Bool) throws {
    let wakeup = try Wakeup()
    let deadline = MonotonicTime.now + length
    while !isDone(), .now < deadline {
      try exchange(until: min(deadline, .now + .milliseconds(5)), wakeup: wakeup)
    }
  }
}

/// What a server has written of both tracks.
struct RecordedPackets {
  private let packets: [TrackKind: [MediaPacket]]

  init(_ path: String) throws {
    var packets: [TrackKind: [MediaPacket]] = [:]
    // In the order of the file: a server may give a packet a time before that of the one before it.
    for kind in TrackKind.allCases {
      var reader = try PacketReader(path: path, kind: kind)
      while let packet = try reader.next() { packets[kind, default: []].append(packet) }
    }
    self.packets = packets
  }

  /// What is wrong with each track, but for its last packets, which a server may not have written.
  func lacks(_ media: EncodedMedia, video videoTail: Int, audio audioTail: Int) -> [String] {
    [lack(media, .video, atMost: videoTail), lack(media, .audio, atMost: audioTail)].compactMap(\.self)
  }

  private func lack(_ media: EncodedMedia, _ kind: TrackKind, atMost tail: Int) -> String? {
    let sent = media.packets.filter { $0.track == kind }.map(\.bytes)
    let got = (packets[kind] ?? []).map(\.bytes)
    // ffmpeg's listener unpacks HEVC and reassembles it, with an extra zero here and there.
    let isRewritten = media.tracks.contains { $0.kind == kind && $0.codec == .hevc }
    let wrong = zip(sent, got).enumerated().first { _, pair in
      isRewritten ? !(0...4).contains(pair.1.count - pair.0.count) : pair.0 != pair.1
    }
    if let wrong {
      return
        "packet \(wrong.offset) of \(sent.count) has \(wrong.element.1.count) bytes, not \(wrong.element.0.count)"
    }
    return (sent.count - tail...sent.count).contains(got.count)
      ? nil : "\(got.count) packets of \(sent.count)"
  }

  /// The farthest that a packet is from where it belongs, both tracks being told from the same beginning, and `some`
  /// packets being left out.
  func farthest(from media: EncodedMedia, butFor some: Int) -> MediaTime {
    let starts = [packets.values.flatMap { $0 }, media.packets].map { Self.beginning($0) }
    let distances = packets.flatMap { kind, got in
      zip(media.packets.filter { $0.track == kind }, got).map { sent, got in
        (got.presentationTime - starts[0]) - (sent.presentationTime - starts[1])
      }
    }
    return distances.map { max($0, .zero - $0) }.sorted().dropLast(some).last ?? .zero
  }

  private static func beginning(_ packets: [MediaPacket]) -> MediaTime {
    packets.filter { $0.track == .audio }.map(\.presentationTime).min() ?? .zero
  }
}
