import HoldfastMediaModel

/// The receiver's progress and losses, from a connection's statistics.
///
/// Acknowledgements come from the receiver's process, every 10 ms while packets arrive.
struct SRTProgress {
  private(set) var statistics = SRTStatistics()
  private(set) var last: MonotonicTime
  private var samples: [(at: MonotonicTime, sent: Int64, lost: Int64)] = []

  private static let window = MediaTime.seconds(1)
  private static let sampleInterval = MediaTime.milliseconds(100)

  init(at now: MonotonicTime) { last = now }

  mutating func update(_ statistics: SRTStatistics, at now: MonotonicTime) {
    if statistics.acknowledgements > self.statistics.acknowledgements { last = now }
    self.statistics = statistics
    if let newest = samples.last, now - newest.at < Self.sampleInterval { return }
    samples.append((now, statistics.packetsSent, statistics.packetsLost))
    while samples.count > 2, now - samples[1].at >= Self.window { samples.removeFirst() }
  }

  /// The share of packets lost during the last second; nil until something was sent.
  var lossRate: Double? {
    guard let first = samples.first, statistics.packetsSent > first.sent else { return nil }
    let lost = Double(statistics.packetsLost - first.lost)
    return min(1, lost / Double(statistics.packetsSent - first.sent))
  }
}
