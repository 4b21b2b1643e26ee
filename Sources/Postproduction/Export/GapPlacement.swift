import HoldfastMediaModel
import HoldfastRecording

/// Places the gaps of a journal in the files, and finds the causes of holes in them.
struct GapPlacement {
  private(set) var gaps: [ExportGap] = []

  /// A gap or interruption from the journal, on its own timeline.
  private struct JournaledGap {
    let cause: String
    let at: MediaTime
    let length: MediaTime
    /// The time before `at` in which it was lost.
    let extent: MediaTime
    let wall: WallTime
    /// The media timeline did not advance.
    let isStandstill: Bool
    /// A slate or silence took its place, if not from the beginning.
    var isFilled = false
  }

  /// Maximum distance of a hole or keyframe from its journaled time.
  private static let slack = MediaTime.milliseconds(500)

  private var holes: [Range<MediaTime>]
  /// How much more of the holes is kept that the journal does not explain: all of them together no more than the media,
  /// as a wrong time in the file can claim any length.
  private var unexplained: MediaTime
  private let plan: ExportPlan

  /// `origin` is the first part's start on the journal's timeline.
  init(_ plan: ExportPlan, journal: Journal?, origin: MediaTime) {
    self.plan = plan
    holes = plan.holes
    unexplained = plan.holes.reduce(plan.end) { $0 - ($1.upperBound - $1.lowerBound) }
    // Interruptions that the files keep delay everything after them.
    var kept = MediaTime.zero
    for gap in journal.map(Self.journaledGaps) ?? [] {
      place(gap, at: gap.at - origin + kept, &kept)
    }
    for hole in holes { add(hole, ExportGap.unknown, explained: .zero, wall: nil) }
    gaps.sort { $0.at < $1.at }
  }

  private mutating func place(_ gap: JournaledGap, at time: MediaTime, _ kept: inout MediaTime) {
    guard time > .zero - Self.slack, time <= plan.end + gap.extent + Self.slack else { return }
    if gap.extent > gap.length {
      placeAll(gap, at: time)
    } else if let index = holes.firstIndex(where: { isHole($0, of: gap, at: time) }) {
      let hole = holes.remove(at: index)
      add(hole, gap.cause, explained: gap.length + Self.slack, wall: gap.wall)
      if gap.isStandstill { kept += hole.upperBound - hole.lowerBound }
      let rest = gap.length - (hole.upperBound - hole.lowerBound)
      // The stand-in begins once the loss is noticed.
      if gap.isFilled, rest > Self.slack, time <= plan.end { addCovered(gap, rest, at: time) }
    } else if gap.isStandstill {
      guard let at = seam(near: time), gap.length > .zero else { return }
      gaps.append(
        ExportGap(
          cause: gap.cause, length: gap.length, wall: gap.wall, at: at, hole: .zero, kept: gap.length,
          isCovered: false))
    } else if time > .zero, time <= plan.end {
      addCovered(gap, gap.length, at: time)
    }
  }

  /// Places a gap with several holes.
  private mutating func placeAll(_ gap: JournaledGap, at time: MediaTime) {
    let found = holes.filter { isHole($0, of: gap, at: time) }
    holes.removeAll { found.contains($0) }
    var explained = gap.length + Self.slack
    for hole in found {
      add(hole, gap.cause, explained: explained, wall: gap.wall)
      explained = max(.zero, explained - (hole.upperBound - hole.lowerBound))
    }
    if found.isEmpty, time > .zero, time <= plan.end { addCovered(gap, gap.length, at: time) }
  }

  /// Merges simultaneous losses of picture and sound.
  private mutating func addCovered(_ gap: JournaledGap, _ length: MediaTime, at time: MediaTime) {
    let same = gaps.lastIndex {
      $0.isCovered && $0.cause == gap.cause && max($0.at - time, time - $0.at) < Self.slack
    }
    let before = same.map { gaps.remove(at: $0) }
    let length = max(length, before?.length ?? .zero)
    gaps.append(
      ExportGap(
        cause: gap.cause, length: length, wall: gap.wall, at: max(time, before?.at ?? time), hole: .zero,
        kept: length, isCovered: true))
  }

  /// `explained` is the length of which the journal tells.
  private mutating func add(
    _ hole: Range<MediaTime>, _ cause: String, explained: MediaTime, wall: WallTime?
  ) {
    let length = hole.upperBound - hole.lowerBound
    let rest = min(max(.zero, length - explained), max(.zero, unexplained))
    unexplained -= rest
    gaps.append(
      ExportGap(
        cause: cause, length: length, wall: wall, at: hole.upperBound, hole: length,
        kept: min(length, explained) + rest, isCovered: false))
  }

  private func isHole(_ hole: Range<MediaTime>, of gap: JournaledGap, at time: MediaTime) -> Bool {
    let length = hole.upperBound - hole.lowerBound
    let difference = max(length, gap.length) - min(length, gap.length)
    guard gap.isStandstill else {
      // The hole may be anywhere in the journaled loss.
      return hole.lowerBound < time + Self.slack && hole.upperBound > time - gap.extent - Self.slack
    }
    let distance = max(hole.lowerBound, time) - min(hole.lowerBound, time)
    return distance < Self.slack && difference < max(Self.slack, MediaTime(seconds: gap.length.seconds / 10))
  }

  /// The keyframe near or after `time` at which the picture resumes; nil if there is none.
  private func seam(near time: MediaTime) -> MediaTime? {
    guard plan.parts[0].recorded[.video] != nil else { return time < plan.end ? max(.zero, time) : nil }
    let near = plan.keyframes.filter { max($0 - time, time - $0) < .milliseconds(250) }
      .min { max($0 - time, time - $0) < max($1 - time, time - $1) }
    guard let found = near ?? plan.keyframes.first(where: { $0 >= time }), found > .zero else { return nil }
    return found
  }

  private static func journaledGaps(_ journal: Journal) -> [JournaledGap] {
    let map = GapMap(journal)
    var gaps: [JournaledGap] = map.interruptions.compactMap { interruption in
      guard let to = interruption.to else { return nil }
      let at = interruption.resumedAt
      let length = interruption.wallDuration
      let passed = at - interruption.mediaAt
      return JournaledGap(
        cause: interruption.cause, at: at, length: length, extent: length, wall: to.wall,
        isStandstill: passed.seconds <= length.seconds / 2)
    }
    for gap in map.gaps where gap.isOfRecording {
      gaps.append(
        JournaledGap(
          cause: gap.cause.rawValue, at: gap.mediaAt + gap.extent, length: gap.lost, extent: gap.extent,
          wall: gap.wallTo, isStandstill: false, isFilled: gap.isFilled ?? false))
    }
    return gaps.sorted { $0.at < $1.at }
  }
}
