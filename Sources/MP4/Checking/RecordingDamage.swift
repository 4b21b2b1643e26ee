package import HoldfastMediaModel

/// A place in a recording's file where something is not as it was written, and what that costs.
package struct RecordingDamage: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The file ends before what was being written did.
    case torn
    /// Nothing there can be read.
    case unreadable
    /// All samples are there, but the box around them says otherwise.
    case mislabelled
    /// A description does not fit to the samples' bytes.
    case misplaced
    /// The bytes of samples are not what they were.
    case garbled
    /// A time, a length or a number that doesn't fit to what lies around it.
    case outOfLine
  }

  /// What is missing of a track because of it.
  package struct Missing: Hashable, Sendable {
    let id: UInt32
    package let track: TrackKind?
    package let from: MediaTime
    /// Nil where nobody knows: nothing follows.
    package internal(set) var to: MediaTime?
    /// Nil where the description of the samples is gone, too.
    package let samples: Int?
  }

  package let kind: Kind
  /// Where in the file.
  package let bytes: Range<Int>
  /// Nothing is missing where all of it can be set right.
  package internal(set) var missing: [Missing] = []
}

extension RecordingDamage: CustomStringConvertible {
  package var description: String {
    let what =
      switch kind {
      case .torn: "torn off"
      case .unreadable: "unreadable"
      case .mislabelled: "a box of a wrong length"
      case .misplaced: "a description that does not fit"
      case .garbled: "garbled samples"
      case .outOfLine: "a time or number out of line"
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

/// The damages of a recording in the order of the file, as many as there is room for, and how many there are.
struct DamageLog: Hashable, Sendable {
  private(set) var list: [RecordingDamage] = []
  private(set) var count = 0

  private static let capacity = 1000

  mutating func note(_ damage: RecordingDamage) {
    count += 1
    if list.count < Self.capacity { list.append(damage) }
  }

  /// A track goes on at `time`: what was missing until then ends there.
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
        // It has not cost this track anything.
        list[index].missing.remove(at: place)
      }
    }
  }
}
