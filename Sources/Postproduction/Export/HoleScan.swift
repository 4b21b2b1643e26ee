import HoldfastMediaModel

/// Finds holes in a track, sample by sample.
struct HoleScan: Sendable {
  private let usual: MediaTime
  private let tolerance: MediaTime
  private let isOfPictures: Bool
  private(set) var holes: [Range<MediaTime>] = []
  /// End of the last sample by the usual duration.
  private var usualEnd: MediaTime?
  private(set) var end = MediaTime.zero

  /// Minimum hole in all tracks; shorter ones are jitter. Video alone needs longer ones.
  static let minLength = MediaTime.milliseconds(100)
  private static let minPictureLength = MediaTime.milliseconds(500)

  init(usual: MediaTime, _ kind: TrackKind?) {
    self.usual = usual
    isOfPictures = kind == .video
    tolerance = kind == .audio ? max(usual, .milliseconds(40)) : usual
  }

  mutating func add(_ time: MediaTime, lasting duration: MediaTime) {
    if let before = usualEnd, time - before > tolerance { holes.append(before..<time) }
    usualEnd = max(usualEnd ?? .zero, time + usual)
    // The last sample before a hole may have been extended over it.
    end = max(end, time + (duration > usual + tolerance ? usual : duration))
  }

  /// The holes that all of `scans` have in common.
  static func common(_ scans: [HoleScan]) -> [Range<MediaTime>] {
    guard let first = scans.first else { return [] }
    guard scans.count > 1 else {
      let minLength = first.isOfPictures ? minPictureLength : minLength
      return first.holes.filter { $0.upperBound - $0.lowerBound >= minLength }
    }
    return scans.dropFirst().reduce(first.holes) { intersection($0, $1.holes) }
      .filter { $0.upperBound - $0.lowerBound >= minLength }
  }

  private static func intersection(
    _ left: [Range<MediaTime>], _ right: [Range<MediaTime>]
  ) -> [Range<MediaTime>] {
    var result: [Range<MediaTime>] = []
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let both = left[i].clamped(to: right[j])
      if !both.isEmpty { result.append(both) }
      if left[i].upperBound < right[j].upperBound { i += 1 } else { j += 1 }
    }
    return result
  }
}
