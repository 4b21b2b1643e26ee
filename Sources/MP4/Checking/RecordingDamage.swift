package import HoldfastMediaModel

/// A damaged range of a recording's file, and the media that it costs.
package struct RecordingDamage: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The file ends within a fragment.
    case torn
    case unreadable
    /// All samples are there, but the size or type of their `mdat` box is wrong.
    case mislabelled
    /// The `moof` box does not match the bytes of the samples.
    case misplaced
    case garbled
    /// A timestamp, duration or sequence number that does not match its neighbours.
    case inconsistent = "outOfLine"
  }

  /// Media of one track that the damage costs.
  package struct Missing: Hashable, Sendable {
    let id: UInt32
    package let track: TrackKind?
    package let from: MediaTime
    /// Nil if no later sample of the track is known.
    package internal(set) var to: MediaTime?
    /// Nil if the `moof` box is lost, too.
    package let samples: Int?
  }

  package let kind: Kind
  package let bytes: Range<Int>
  package internal(set) var missing: [Missing] = []

  package var description: String {
    let what =
      switch kind {
      case .torn: "truncated"
      case .unreadable: "unreadable"
      case .mislabelled: "a box with a wrong length"
      case .misplaced: "a wrong description"
      case .garbled: "garbled samples"
      case .inconsistent: "an inconsistent time or number"
      }
    let cost = missing.isEmpty ? "nothing is lost" : missing.map(\.description).joined(separator: ", ")
    return "bytes \(bytes.lowerBound) to \(bytes.upperBound): \(what), \(cost)"
  }
}

extension RecordingDamage.Missing: CustomStringConvertible {
  package var description: String {
    let name = track?.rawValue ?? "track \(id)"
    let count = samples.map { " (\($0) samples)" } ?? ""
    return "\(name) from \(from) \(to.map { "to \($0)" } ?? "on")\(count)"
  }
}

/// The first damaged ranges of a recording in file order, and the number of all.
struct DamageLog: Hashable, Sendable {
  private(set) var list: [RecordingDamage] = []
  private(set) var count = 0

  private static let capacity = 1000

  mutating func note(_ damage: RecordingDamage) {
    count += 1
    if list.count < Self.capacity { list.append(damage) }
  }

  /// Ends the open losses of a track at `time`, where its samples continue.
  mutating func endMissing(_ id: UInt32, at time: MediaTime) {
    for index in list.indices.reversed() {
      guard let place = list[index].missing.firstIndex(where: { $0.id == id }) else {
        if index < list.count - 8 { return }
        continue
      }
      guard list[index].missing[place].to == nil else { return }
      if time > list[index].missing[place].from {
        list[index].missing[place].to = time
      } else {
        // The damage cost this track nothing.
        list[index].missing.remove(at: place)
      }
    }
  }
}
