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
