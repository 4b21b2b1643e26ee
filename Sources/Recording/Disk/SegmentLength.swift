package import HoldfastMediaModel

/// Maximum length of one file of a recording.
package enum SegmentLength: Hashable, Sendable {
  case duration(MediaTime)
  /// In bytes.
  case size(Int)

  package var isLongEnough: Bool {
    switch self {
    case .duration(let time): time >= .seconds(1)
    case .size(let bytes): bytes >= 1 << 20
    }
  }
}
