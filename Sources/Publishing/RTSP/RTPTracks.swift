import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastRTSP

/// The tracks of one connection as RTP packets and RTCP reports, on a timeline from the first packet.
final class RTPTracks {
  private final class Entry {
    let kind: TrackKind
    var isStarted = false
    var packetizer: RTPPacketizer
    /// The share of packets recently lost, as reported by the server.
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
  /// The common name of all tracks in reports.
  private let name: String
  private var start: MediaTime?
  private var end = MediaTime.zero
  private var nextReports: MonotonicTime?
  private var lastSentAt: MonotonicTime?
  /// When the last packet before a pause was sent; nil if the next packet follows no pause.
  private var pausedAt: MonotonicTime?
  /// The length of all pauses, during which RTP time continues, like the clock of the reports.
  private var paused = MediaTime.zero

  /// The interval that the standard recommends.
  private static let reportInterval = MediaTime.seconds(5)

  init(_ tracks: [Track], name: String) throws(FFmpegError) {
    var entries: [Entry] = []
    for (number, track) in tracks.enumerated() { entries.append(try Entry(track, number: number)) }
    self.entries = entries
    self.name = name
  }

  var count: Int { entries.count }

  /// The duration of the media sent.
  var position: MediaTime { start.map { end - $0 } ?? .zero }

  /// Passes the RTP packets of `media` and the reports that are due to `emit`, with their track numbers.
  func write(
    _ media: MediaPacket, at now: MonotonicTime, wallClock: NTPTime,
    _ emit: (_ packet: borrowing Span<UInt8>, _ track: Int, _ isReport: Bool) -> Void
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
    try entry.packetizer.write(packet) { emit($0, number, false) }
    // Servers ignore reports about a track before its first packet.
    if !entry.isStarted { nextReports = nil }
    entry.isStarted = true
    if now >= nextReports ?? now {
      nextReports = now + Self.reportInterval
      report(packet.decodeTime, wallClock, emit)
    }
  }

  /// The next packet follows a pause. Reports keep their schedule: GStreamer's server may misplace a track
  /// when a report follows the pause at once.
  func pause() {
    pausedAt = pausedAt ?? lastSentAt
  }

  /// Reports the same instant for all tracks, which keeps picture and sound in step.
  private func report(
    _ time: MediaTime, _ wallClock: NTPTime,
    _ emit: (_ packet: borrowing Span<UInt8>, _ track: Int, _ isReport: Bool) -> Void
  ) {
    for (number, entry) in entries.enumerated() where entry.isStarted {
      let report = SenderReport(
        source: entry.packetizer.source, wallClock: wallClock,
        mediaTime: entry.packetizer.timestamp(at: time),
        packets: entry.packetizer.packetCount, octets: entry.packetizer.octetCount, name: name)
      let bytes = report.bytes
      emit(bytes.span, number, true)
    }
  }

  func update(from report: ReceptionReport) {
    entries.first { $0.packetizer.source == report.source }?.lossRate = report.lossRate
  }

  /// The loss rate of the worst track; nil until the server reports one.
  var lossRate: Double? { entries.compactMap(\.lossRate).max() }
}
