package import HoldfastMP4
package import HoldfastMediaModel
import HoldfastRecording

/// Compares the gaps in a journal with the holes in the recording, by `HoleRule`.
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
    /// What each track lost in the file.
    let lost: [TrackKind: MediaTime]
    /// The time in which that was lost.
    let extent: MediaTime
    package fileprivate(set) var kind = Kind.hole
  }

  /// An interruption that has ended.
  package struct Pause: Hashable, Sendable {
    package let cause: String
    /// Where media time continued.
    let media: MediaTime
    package let at: MediaTime
    package let wall: MediaTime
    /// Its length in the file; zero if it is closed up.
    let kept: MediaTime

    fileprivate var isCrash: Bool { cause == Interruption.crash }
  }

  package private(set) var gaps: [Found] = []
  package private(set) var pauses: [Pause] = []
  /// Holes without a journaled cause, and those longer than journaled.
  package private(set) var unexplained: [TrackSurvey.Hole] = []

  init(_ journal: Journal, of span: RecordingJournal.Span, _ inspection: RecordingInspection) {
    let map = GapMap(journal)
    let place = MediaPlacement(span, map.interruptions)
    pauses = place.pauses
    gaps = map.gaps.filter(\.isOfRecording).compactMap(place.found)
    for index in gaps.indices {
      let kind = kind(of: gaps[index], inspection)
      gaps[index].kind = kind
    }
    unexplained = inspection.tracks.flatMap(\.holes).filter { !explains($0) }
  }

  /// Whether the file's time advances during interruptions.
  package var keepsGaps: Bool { pauses.contains { $0.kept > .zero } }

  /// The times in the file at which media time continued.
  var resumptions: [MediaTime] { pauses.map { $0.at + $0.kept } }

  private static func overlap(_ hole: TrackSurvey.Hole, _ at: MediaTime, _ length: MediaTime) -> Bool {
    hole.end >= at - HoleRule.maxDistance && hole.at <= at + length + HoleRule.maxDistance
  }

  /// Among fewer, the hole of a source that sends next to nothing can't be told from the usual distance.
  private static let fewestSamples = 10

  private func kind(of found: Found, _ inspection: RecordingInspection) -> Found.Kind {
    var isFilled = false
    for (kind, length) in found.lost where length > HoleRule.maxDifference {
      guard let track = inspection.track(kind), let start = track.start, let end = track.end else { continue }
      // Where the track begins or ends with the loss, there is no hole.
      if found.at + HoleRule.maxDistance >= end { continue }
      if found.at + length <= start + HoleRule.maxDifference { continue }
      let missing = track.holes.filter { Self.overlap($0, found.at, found.extent) }
        .reduce(MediaTime.zero) { $0 + $1.length }
      if missing + HoleRule.maxDifference >= length { continue }
      // Single pictures leave no holes among others that are late.
      if found.gap.hasSeveralHoles, !Self.mayBeFilled(found.gap, kind) { continue }
      if found.gap.cause == .source, track.samples < Self.fewestSamples { continue }
      // After a crash, silence follows the last sound.
      let isBeforeCrash = pauses.contains {
        $0.isCrash && abs(($0.at - found.at - length).milliseconds) < HoleRule.maxDistance.milliseconds
      }
      guard Self.mayBeFilled(found.gap, kind) || kind == .audio && isBeforeCrash else { return .notThere }
      isFilled = true
    }
    return isFilled ? .filled : .hole
  }

  /// Whether a slate or silence has replaced the lost media, or may have where the journal does not say.
  private static func mayBeFilled(_ gap: Gap, _ kind: TrackKind) -> Bool {
    guard gap.output == nil else { return false }
    if let isFilled = gap.isFilled { return isFilled }
    switch gap.cause {
    // A network source is replaced; pictures that a camera loses are not.
    case .device, .deviceBusy, .source, .xrun: return true
    // Silence replaces lost sound, but nothing replaces lost pictures.
    case .user, .system, .crash, .worker, .encoderTooSlow: return kind == .audio
    case .diskTooSlow, .disk, .diskFailed, .fileGone, .network: return false
    }
  }

  /// Whether what is journaled near the hole is as long.
  func explains(_ hole: TrackSurvey.Hole) -> Bool {
    if hole.isThin { return true }
    var told: MediaTime?
    for pause in pauses where Self.overlap(hole, pause.at, pause.kept) {
      // A crash may cost one track more than the other.
      let endsThere = pause.isCrash && abs((hole.end - pause.at - pause.kept).milliseconds) < 100
      told = (told ?? .zero) + (endsThere ? hole.length : pause.kept)
    }
    for found in gaps {
      let length = hole.track.flatMap { found.lost[$0] } ?? .zero
      if length > .zero, Self.overlap(hole, found.at, found.extent) { told = (told ?? .zero) + length }
    }
    return told.map { hole.length <= $0 + HoleRule.maxDifference } ?? false
  }

  /// Whether a journaled gap or interruption near `time` explains missing frame numbers.
  func explains(_ time: MediaTime) -> Bool {
    func covers(_ at: MediaTime, _ length: MediaTime) -> Bool {
      at - HoleRule.maxDistance <= time && time <= at + length + HoleRule.maxDistance
    }
    return pauses.contains { covers($0.at, $0.kept) }
      || gaps.contains { $0.lost[.video] != nil && covers($0.at, $0.extent) }
  }
}
