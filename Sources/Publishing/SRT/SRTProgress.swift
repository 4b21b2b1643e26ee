import HoldfastMediaModel

/// When the receiver last took something, and how much is lost, as a connection's statistics have it.
///
/// Acknowledgements come from the receiver's own process, every 10 ms as long as something arrives.
struct SRTProgress {
  private struct Mark {
    let at: MonotonicTime
    let sent: Int64
    let lost: Int64
  }

  private(set) var statistics = SRTStatistics()
  private(set) var last: MonotonicTime
  private var marks: [Mark] = []

  private static let window = MediaTime.seconds(1)
  private static let markInterval = MediaTime.milliseconds(100)

  /// Begins with a receiver that has just consented.
  init(at now: MonotonicTime) {
    last = now
  }

  mutating func update(_ statistics: SRTStatistics, at now: MonotonicTime) {
    if statistics.acknowledgements > self.statistics.acknowledgements { last = now }
    self.statistics = statistics
    if let newest = marks.last, now - newest.at < Self.markInterval { return }
    marks.append(Mark(at: now, sent: statistics.packetsSent, lost: statistics.packetsLost))
    while marks.count > 2, now - marks[1].at >= Self.window { marks.removeFirst() }
  }

  /// The share of the last second's packets that was lost on the way; nil until something was sent.
  var lossRate: Double? {
    guard let first = marks.first, statistics.packetsSent > first.sent else { return nil }
    let lost = Double(statistics.packetsLost - first.lost)
    return min(1, lost / Double(statistics.packetsSent - first.sent))
  }
}
