import HoldfastMediaModel

/// Maps the parts' common timeline to that of an export.
struct ExportTimeline: Sendable {
  private let keepsGaps: Bool
  let gaps: [ExportGap]
  /// Gaps at which the two timelines differ, or that must be filled.
  let seams: [ExportGap]
  /// By how much all seams up to each of them shift what follows.
  private let shifts: [MediaTime]

  init(_ gaps: [ExportGap], keepsGaps: Bool) {
    self.gaps = gaps
    self.keepsGaps = keepsGaps
    seams = gaps.filter { !$0.isCovered && (keepsGaps || $0.hole > .zero) }
    var sum = MediaTime.zero
    shifts = seams.map { seam in
      sum += keepsGaps ? seam.added : .zero - seam.hole
      return sum
    }
  }

  /// How much everything after `gap` is delayed against what is before it.
  func shift(at gap: ExportGap) -> MediaTime { keepsGaps ? gap.added : .zero - gap.hole }

  func time(_ time: MediaTime) -> MediaTime {
    // Seams are in order.
    let passed = seams.partitioningIndex { $0.at > time }
    return passed == 0 ? time : time + shifts[passed - 1]
  }

  var chapters: [(start: MediaTime, title: String)] {
    var chapters: [(start: MediaTime, title: String)] = [(.zero, "Start")]
    for gap in gaps where gap.isChapter { chapters.append((time(gap.at), gap.title)) }
    return chapters
  }

  func caption(of gap: ExportGap, end: MediaTime) -> Range<MediaTime> {
    let at = time(gap.at)
    let shortest = MediaTime.seconds(1)
    if gap.isCovered || keepsGaps {
      let start = max(.zero, at - (gap.isCovered ? gap.length : gap.kept))
      return start..<max(at, start + shortest)
    }
    return at..<max(at + shortest, min(at + .seconds(3), end))
  }
}
