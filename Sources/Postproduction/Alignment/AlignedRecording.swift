package import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// A file of a recording with the wall time of every instant in it.
package struct AlignedRecording: Sendable {
  package let path: String
  /// Of the broadcast.
  package let name: String
  /// The id of the broadcast.
  package let broadcast: String
  /// Path of the journal.
  package let journal: String
  /// At least one, in the order of the file, and of the wall clock.
  package let pieces: [RecordingPiece]
  package let clockSteps: [WallTimeline.ClockStep]
  /// False if the beginning is known only from when the broadcast went live.
  package let isExact: Bool
  /// The ids of the boots whose clocks give the times; nil is an unknown one.
  let boots: Set<String?>
  let plan: ExportPlan

  var part: RecordingPart { plan.parts[0] }
  package var start: WallTime { pieces.first?.wall ?? WallTime(nanoseconds: 0) }
  package var end: WallTime { pieces.last?.wallEnd ?? start }
  package var length: MediaTime { plan.end }

  /// So that sums of times do not overflow: 36 years.
  private static let maxLength = MediaTime(nanoseconds: 1 << 60)

  /// Whether some instant is in both.
  func overlaps(_ other: AlignedRecording) -> Bool {
    var (mine, theirs) = (pieces[...], other.pieces[...])
    while let one = mine.first, let two = theirs.first {
      if max(one.wall, two.wall) < min(one.wallEnd, two.wallEnd) { return true }
      if one.wallEnd < two.wallEnd { mine.removeFirst() } else { theirs.removeFirst() }
    }
    return false
  }
}

extension AlignedRecording {
  /// `clocks` are those of all recordings.
  init(_ plan: ExportPlan, _ journal: RecordingJournal, _ clocks: BootClocks) throws(RecordingFileError) {
    let path = plan.parts[0].path
    guard let span = journal.span(of: path), let beginning = journal.journal.beginning else {
      throw .unplaced(path, "its journal \(journal.path) does not name it")
    }
    let timeline = WallTimeline(journal.journal)
    let place = MediaPlacement(span, GapMap(journal.journal).interruptions)
    let pieces = RecordingPiece.all(of: timeline, clocks, in: place, until: min(plan.end, Self.maxLength))
    guard !pieces.isEmpty else {
      throw .unplaced(path, "its journal \(journal.path) does not say when its media was captured")
    }
    self.init(
      path: path, name: beginning.name, broadcast: beginning.broadcast, journal: journal.path, pieces: pieces,
      clockSteps: timeline.clockSteps, isExact: timeline.isExact,
      boots: Set(timeline.runs.map(\.captured.bootID)), plan: plan)
  }
}

extension RecordingFileError {
  static func unplaced(_ path: String, _ reason: String) -> RecordingFileError {
    RecordingFileError(
      .unusable, path, "\(reason), so the wall time of its media is unknown",
      hint: "put the journal of its broadcast, ID.jsonl, beside it, or name it with --journal")
  }
}
