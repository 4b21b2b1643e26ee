import HoldfastMediaModel

struct Throughput {
  private var samples: [(at: MonotonicTime, bytes: Int64)] = []

  private static let window = MediaTime.seconds(1)

  /// Nil for the first sample.
  mutating func bitsPerSecond(taken bytes: Int64, at now: MonotonicTime) -> Double? {
    samples.append((now, bytes))
    while samples.count > 2, now - samples[1].at >= Self.window { samples.removeFirst() }
    guard let first = samples.first, now > first.at else { return nil }
    return max(0, Double(bytes - first.bytes) * 8 / (now - first.at).seconds)
  }
}
