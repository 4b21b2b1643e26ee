package import HoldfastMediaModel
package import HoldfastRecording

/// The wall clock of each boot that journals tell of, as it was set last: one clock for all recordings of a boot.
package struct BootClocks: Hashable, Sendable {
  private var latest: [String: JournalInstant] = [:]

  package init(_ journals: [Journal]) {
    for instant in journals.lazy.flatMap(\.records).map(\.instant) {
      guard let boot = instant.bootID else { continue }
      if let known = latest[boot], known.sinceBoot > instant.sinceBoot { continue }
      latest[boot] = instant
    }
  }

  /// Within what a sum of it and a file's length can hold, whatever a journal says.
  package func wall(of instant: JournalInstant) -> WallTime {
    let step = instant.bootID.flatMap { latest[$0] }.map { instant.clockStep(until: $0) } ?? .zero
    return WallTime(nanoseconds: min(max(instant.wall.nanoseconds &+ step.nanoseconds, 0), Self.maxWall))
  }

  /// In the year 2116.
  private static let maxWall: Int64 = 1 << 62
}
