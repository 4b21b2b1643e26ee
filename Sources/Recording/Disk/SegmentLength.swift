package import HoldfastMediaModel

/// How much of a recording goes into one file.
package enum SegmentLength: Hashable, Sendable {
  case duration(MediaTime)
  /// Bytes.
  case size(Int)

  /// A file of that length is worth its name.
  package var isLongEnough: Bool {
    switch self {
    case .duration(let time): time >= .seconds(1)
    case .size(let bytes): bytes >= 1 << 20
    }
  }
}
