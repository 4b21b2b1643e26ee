import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastRTSP

/// The tracks of one connection as RTP packets and RTCP reports, in a time that begins with the first packet.
final class RTPTracks {
  /// The packetizer of one track.
  private final class Entry {
    let kind: TrackKind
    /// The server has heard of the track.
    var hasBegun = false
    var packetizer: RTPPacketizer
    /// The share that the server says was lost lately.
    var lossRate: Double?

    init(_ track: Track, number: Int) throws(FFmpegError) {
      let packetizer = try RTPPacketizer(
        track: track, payloadType: 96 + number, source: .random(in: 1 ... .max),
        timestamp: .random(in: 0 ... .max), sequence: .random(in: 0 ... .max))
      kind = track.kind
      self.packetizer = packetizer
    }
  }

  private let entries: [Entry]
  /// What the reports call all of the tracks.
  private let name: String
  private var start: MediaTime?
  private var end = MediaTime.zero
  private var nextReports: MonotonicTime?
  private var lastSentAt: MonotonicTime?
  /// When the last packet before a pause went out; nil when the next one does not come behind a pause.
  private var pausedAt: MonotonicTime?
  /// The length of all pauses. RTP's time goes on in them, as that of the reports does, so that the two agree.
  private var paused = MediaTime.zero

  /// As often as the standard's usual interval.
  private static let reportInterval = MediaTime.seconds(5)

  init(_ tracks: [Track], name: String) throws(FFmpegError) {
    var entries: [Entry] = []
    for (number, track) in tracks.enumerated() { entries.append(try Entry(track, number: number)) }
    self.entries = entries
    self.name = name
  }

  var count: Int { entries.count }

  /// How far the connection's media has come.
  var position: MediaTime { start.map { end - $0 } ?? .zero }

  /// Shows the packets that `media` makes, and the reports that are due, each with the number of its track.
  func write(
    _ media: MediaPacket, at now: MonotonicTime, wallClock: NTPTime,
    _ show: (_ packet: borrowing Span<UInt8>, _ track: Int, _ isReport: Bool) -> Void
  ) throws(FFmpegError) {
    guard let number = entries.firstIndex(where: { $0.kind == media.track }) else { return }
    let start = start ?? media.decodeTime
    self.start = start
    if let pausedAt { paused += max(.zero, (now - pausedAt) - (media.decodeTime - end)) }
    pausedAt = nil
    lastSentAt = now
    end = max(end, media.decodeTime)
    var packet = media
    packet.decodeTime += paused - start
    packet.presentationTime += paused - start
    let entry = entries[number]
    try entry.packetizer.write(packet) { show($0, number, false) }
    // A report about what a server has not heard of yet is lost on it.
    if !entry.hasBegun { nextReports = nil }
    entry.hasBegun = true
    if now >= nextReports ?? now {
      nextReports = now + Self.reportInterval
      report(packet.decodeTime, wallClock, show)
    }
  }

  /// The next packet comes behind a pause. Reports stay due as before: GStreamer's server may misplace a track when one
  /// comes right behind a pause.
  func pause() {
    pausedAt = pausedAt ?? lastSentAt
  }

  /// Reports the same instant for all tracks, which keeps picture and sound together.
  private func report(
    _ time: MediaTime, _ wallClock: NTPTime,
    _ show: (_ packet: borrowing Span<UInt8>, _ track: Int, _ isReport: Bool) -> Void
  ) {
    for (number, entry) in entries.enumerated() where entry.hasBegun {
      let report = SenderReport(
        source: entry.packetizer.source, wallClock: wallClock,
        mediaTime: entry.packetizer.timestamp(at: time),
        packets: entry.packetizer.packetCount, octets: entry.packetizer.octetCount, name: name)
      let bytes = report.bytes
      show(bytes.span, number, true)
    }
  }

  /// Takes what the server says of what has reached it.
  func take(_ report: ReceptionReport) {
    entries.first { $0.packetizer.source == report.source }?.lossRate = report.lossRate
  }

  /// The share lost of the track that loses most; nil as long as the server has said nothing.
  var lossRate: Double? { entries.compactMap(\.lossRate).max() }
}
