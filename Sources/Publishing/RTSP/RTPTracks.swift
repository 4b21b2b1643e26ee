import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastRTSP

/// The tracks of one connection as RTP packets and RTCP reports, on a timeline from the first packet.
///
/// All reports use one mapping of this timeline to the wall clock, made with the first packet: neither a packet's delay
/// nor a step of the clock changes it, since receivers shift a track whose reports differ.
final class RTPTracks {
  private final class Entry {
    let kind: TrackKind
    var isStarted = false
    var packetizer: RTPPacketizer
    /// The share of packets recently lost, as reported by the server.
    var lossRate: Double?

    init(_ track: Track, number: Int) throws(FFmpegError) {
      kind = track.kind
      packetizer = try RTPPacketizer(
        track: track, payloadType: 96 + number, source: .random(in: 1 ... .max),
        timestamp: .random(in: 0 ... .max), sequence: .random(in: 0 ... .max))
    }
  }

  private let entries: [Entry]
  /// The common name of all tracks in reports.
  private let name: String
  private var start: (time: MediaTime, wallClock: WallTime)?
  private var end = MediaTime.zero
  private var nextReports: MonotonicTime?
  /// When the packet at `end` was sent.
  private var lastSentAt: MonotonicTime?
  /// When the latest packet before a pause was sent; nil if the next packet follows no pause.
  private var pausedAt: MonotonicTime?
  /// The length of all pauses, during which RTP time continues, like the clock of the reports.
  private var paused = MediaTime.zero

  /// The interval that the standard recommends.
  private static let reportInterval = MediaTime.seconds(5)

  init(_ tracks: [Track], name: String) throws(FFmpegError) {
    entries = try tracks.enumerated().map { (number, track) throws(FFmpegError) in
      try Entry(track, number: number)
    }
    self.name = name
  }

  var count: Int { entries.count }

  /// The duration of the media sent.
  var position: MediaTime { start.map { end - $0.time } ?? .zero }

  /// Passes the RTP packets of `media` and the reports that are due to `emit`, with their track numbers.
  func write(
    _ media: MediaPacket, at now: MonotonicTime, wallClock: WallTime,
    _ emit: (_ packet: borrowing Span<UInt8>, _ track: Int, _ isReport: Bool) -> Void
  ) throws(FFmpegError) {
    guard let number = entries.firstIndex(where: { $0.kind == media.track }) else { return }
    let start = start ?? (media.decodeTime, wallClock)
    self.start = start
    if let pausedAt { paused += max(.zero, (now - pausedAt) - (media.decodeTime - end)) }
    pausedAt = nil
    if media.decodeTime >= end { (end, lastSentAt) = (media.decodeTime, now) }
    var packet = media
    packet.decodeTime += paused - start.time
    packet.presentationTime += paused - start.time
    let wallClock = start.wallClock + packet.decodeTime
    let entry = entries[number]
    if !entry.isStarted {
      // Lets receivers place the first packet. Those that ignore it, as the source is new to them, get another one.
      report(number, packet.decodeTime, wallClock, emit)
      nextReports = nil
    }
    try entry.packetizer.write(packet) { emit($0, number, false) }
    entry.isStarted = true
    if now >= nextReports ?? now {
      nextReports = now + Self.reportInterval
      // The same instant for all tracks, which keeps picture and sound in step.
      for number in entries.indices where entries[number].isStarted {
        report(number, packet.decodeTime, wallClock, emit)
      }
    }
  }

  /// The next packet follows a pause. Reports keep their schedule: GStreamer's server may misplace a track
  /// when a report follows the pause at once.
  func pause() { pausedAt = pausedAt ?? lastSentAt }

  private func report(
    _ number: Int, _ time: MediaTime, _ wallClock: WallTime,
    _ emit: (_ packet: borrowing Span<UInt8>, _ track: Int, _ isReport: Bool) -> Void
  ) {
    let entry = entries[number]
    let report = SenderReport(
      source: entry.packetizer.source, wallClock: NTPTime(wallClockNanoseconds: wallClock.nanoseconds),
      mediaTime: entry.packetizer.timestamp(at: time),
      packets: entry.packetizer.packetCount, octets: entry.packetizer.octetCount, name: name)
    let bytes = report.bytes
    emit(bytes.span, number, true)
  }

  func update(from report: ReceptionReport) {
    entries.first { $0.packetizer.source == report.source }?.lossRate = report.lossRate
  }

  /// The loss rate of the worst track; nil until the server reports one.
  var lossRate: Double? { entries.compactMap(\.lossRate).max() }
}
