package import HoldfastMP4
package import HoldfastMediaModel

/// Compares the gaps in a journal with the holes in the recording.
package struct GapCheck: Hashable, Sendable {
  /// A journaled gap, and what the file has in its place.
  package struct Found: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
      case hole
      /// A slate or silence.
      case filled
      case notThere
    }

    package let gap: Gap
    /// Time in the file.
    package let at: MediaTime
    package let kind: Kind
  }

  /// An interruption that has ended.
  package struct Pause: Hashable, Sendable {
    package let cause: String
    package let at: MediaTime
    package let wall: MediaTime
  }

  package private(set) var gaps: [Found] = []
  package private(set) var pauses: [Pause] = []
  /// Holes without a journaled cause.
  package private(set) var unexplained: [TrackSurvey.Hole] = []
  /// Whether the file's time advances during interruptions.
  package let keepsGaps: Bool

  /// Maximum distance between a hole and its journaled time.
  private static let tolerance = MediaTime.seconds(1)
  private static let edge = MediaTime.milliseconds(250)

  init(_ journal: Journal, of span: RecordingJournal.Span, _ inspection: RecordingInspection) {
    let map = GapMap(journal)
    let isInFile: (MediaTime) -> Bool = { time in
      time >= span.origin && span.end.map { time < $0 } ?? true
    }
    let interruptions = map.interruptions.filter { $0.to != nil && isInFile($0.mediaAt) }
    let holes = inspection.tracks.flatMap(\.holes)
    func pauses(keeping: Bool) -> [Pause] {
      var before = MediaTime.zero
      return interruptions.map { one in
        defer { if keeping { before += one.wallDuration } }
        return Pause(cause: one.cause, at: one.mediaAt - span.origin + before, wall: one.wallDuration)
      }
    }
    let kept = pauses(keeping: true)
    let long = kept.filter { $0.wall > .milliseconds(300) }
    let isKept = { (pause: Pause) in
      holes.contains {
        Self.overlap($0, pause.at, pause.wall) && $0.length.seconds > pause.wall.seconds * 0.7
      }
    }
    keepsGaps = !long.isEmpty && long.count(where: isKept) * 2 > long.count
    self.pauses = keepsGaps ? kept : pauses(keeping: false)
    for gap in map.gaps where gap.isOfRecording && isInFile(gap.mediaAt) {
      let shift =
        keepsGaps
        ? interruptions.reduce(MediaTime.zero) {
          $1.mediaAt <= gap.mediaAt ? $0 + $1.wallDuration : $0
        } : .zero
      let at = gap.mediaAt - span.origin + shift
      gaps.append(Found(gap: gap, at: at, kind: Self.kind(of: gap, at: at, inspection)))
    }
    unexplained = holes.filter { !isExplained($0) }
  }

  private static func overlap(_ hole: TrackSurvey.Hole, _ at: MediaTime, _ length: MediaTime) -> Bool {
    hole.end >= at - tolerance && hole.at <= at + length + tolerance
  }

  private static func kind(of gap: Gap, at: MediaTime, _ inspection: RecordingInspection) -> Found.Kind {
    let lost: [(kind: TrackKind, length: MediaTime)] = [(.video, gap.lostVideo), (.audio, gap.lostAudio)]
    var isFilled = false
    for (kind, length) in lost where length > .zero {
      guard let track = inspection.track(kind) else { continue }
      // The track ends here, so there is no hole.
      if let end = track.end, at + tolerance >= end { continue }
      let found = track.holes.filter { overlap($0, at, length) }.reduce(0) { $0 + $1.length.seconds }
      if found >= length.seconds / 2 - (track.usualLength?.seconds ?? 0) / 2, found > 0 { continue }
      guard mayBeFilled(gap, kind) else { return .notThere }
      isFilled = true
    }
    return isFilled ? .filled : .hole
  }

  /// Whether a slate or silence may have replaced the lost media.
  private static func mayBeFilled(_ gap: Gap, _ kind: TrackKind) -> Bool {
    guard gap.output == nil else { return false }
    switch gap.cause {
    case .device, .deviceBusy, .xrun: return true
    case .source, .user, .system, .crash: return kind == .audio
    case .encoderTooSlow, .diskTooSlow, .disk, .diskFailed, .fileGone, .network: return false
    }
  }

  private func isExplained(_ hole: TrackSurvey.Hole) -> Bool {
    if hole.isThin { return true }
    let isPause = pauses.contains {
      Self.overlap(hole, $0.at, keepsGaps ? $0.wall : .zero)
        && hole.length <= (keepsGaps ? $0.wall : .zero) + Self.edge
    }
    return isPause
      || gaps.contains { found in
        let length = hole.track == .video ? found.gap.lostVideo : found.gap.lostAudio
        return length > .zero && Self.overlap(hole, found.at, length)
      }
  }

  /// Whether a journaled gap or interruption near `time` explains missing frame numbers.
  func explains(_ time: MediaTime) -> Bool {
    pauses.contains {
      $0.at - Self.tolerance <= time && time <= $0.at + (keepsGaps ? $0.wall : .zero) + Self.tolerance
    }
      || gaps.contains { found in
        found.at - Self.tolerance <= time && time <= found.at + found.gap.lostVideo + Self.tolerance
      }
  }
}
