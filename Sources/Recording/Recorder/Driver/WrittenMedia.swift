import HoldfastMediaModel

/// What has been written of a file's tracks, and how much of that is on the disk.
struct WrittenMedia: Hashable, Sendable {
  /// Stretches of media time without a hole.
  private var stretches: [TrackKind: [Range<MediaTime>]] = [:]
  /// Where the tracks end on the disk, and where they will after the sync that is running.
  private var synced: [TrackKind: MediaTime] = [:]
  private var syncing: [TrackKind: MediaTime] = [:]

  init() {}

  /// All of it is on the disk; `ends` is where the tracks end there.
  init(onDiskUntil ends: [TrackKind: MediaTime]) {
    stretches = ends.mapValues { [$0..<$0] }
    allSynced()
  }

  var isEmpty: Bool { stretches.isEmpty }

  mutating func add(_ packet: MediaPacket) {
    var all = stretches[packet.track] ?? []
    var added = packet.decodeTime..<packet.decodeTime + max(.zero, packet.duration)
    if let last = all.last, added.lowerBound - last.upperBound <= Self.slack {
      all.removeLast()
      added = last.lowerBound..<max(last.upperBound, added.upperBound)
    }
    stretches[packet.track] = all + [added]
  }

  mutating func syncBegan() { syncing = stretches.compactMapValues(\.last?.upperBound) }

  mutating func syncEnded() {
    synced = syncing
    for (track, end) in synced {
      // An unsteady camera leaves a hole behind each picture.
      guard let all = stretches[track], let first = all.first?.lowerBound else { continue }
      stretches[track] =
        [first..<end] + all.drop { $0.upperBound <= end }.map { max($0.lowerBound, end)..<$0.upperBound }
    }
  }

  mutating func allSynced() {
    syncBegan()
    syncEnded()
  }

  /// What may not be on the disk.
  var unsynced: [Recorder.Loss] { missing(behind: synced) }

  /// What is missing on a disk on which the tracks end at `ends`.
  func missing(behind ends: [TrackKind: MediaTime]) -> [Recorder.Loss] {
    stretches.flatMap { track, all in
      all.compactMap { stretch in
        let start = max(stretch.lowerBound, ends[track] ?? stretch.lowerBound)
        guard stretch.upperBound - start > Self.slack else { return nil }
        return Recorder.Loss(
          track: track, at: start, duration: stretch.upperBound - start, packets: 0, cause: .diskFailed)
      }
    }
  }

  private static let slack = HoleRule.slack(of: .audio, usual: .zero)
}
