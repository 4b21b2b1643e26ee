import HoldfastFFmpeg
package import HoldfastMP4
import HoldfastMarks
package import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// The findings about a recording, and its defects.
package struct RecordingVerification: Sendable {
  package enum MarkReading: String, Hashable, Sendable, CaseIterable {
    case off, auto, require
  }

  package struct Defect: Hashable, Sendable {
    /// Raw values appear in JSON.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
      case unreadable, torn, damaged, timesGoBack, indexWrong, trackEmpty, tracksBeginApart, tracksEndApart
      case gapWithoutHole, holeWithoutGap, fileMissing
      case marksMissing, marksTwice, marksBackwards, marksUnreadable, noMarks, soundOffset
    }

    package let kind: Kind
    package let text: String
  }

  package let path: String
  package private(set) var size = 0
  package private(set) var isBeingWritten = false
  /// Nil if the head is unreadable.
  package private(set) var inspection: RecordingInspection?
  package private(set) var journal: RecordingJournal?
  package private(set) var gapCheck: GapCheck?
  package private(set) var marks: RecordedMarks?
  package private(set) var defects: [Defect] = []

  /// Maximum distance between the tracks' starts or ends; sound comes in packets.
  private static let maxTrackDistance = MediaTime.milliseconds(500)
  /// Maximum offset between sound and picture, in milliseconds.
  private static let maxOffset = 45.0

  /// Without `journal`, the recording's own is searched for.
  package init(
    path: String, journal: String? = nil, marks: MarkReading = .auto, environment: [String: String]
  ) throws {
    self.path = path
    let recording = try OpenRecording(path: path)
    size = recording.bytes.size
    isBeingWritten = recording.isBeingWritten
    do {
      inspection = try RecordingInspection(recording.bytes)
    } catch {
      add(.unreadable, "\(error)")
      return
    }
    self.journal =
      try journal.map { try RecordingJournal(path: $0) }
      ?? RecordingJournal.find(for: path, environment: environment)
    let span = self.journal?.span(of: path)
    if let journal, span == nil {
      throw RecordingFileError(
        .misuse, "--journal \(journal)", "it does not name \(path)",
        hint: "leave it out, or choose the right one")
    }
    if let inspection { judge(inspection, span) }
    if marks != .off { readMarks(recording.bytes, areNeeded: marks == .require) }
  }

  private mutating func add(_ kind: Defect.Kind, _ text: String) {
    defects.append(Defect(kind: kind, text: text))
  }

  private mutating func judge(_ inspection: RecordingInspection, _ span: RecordingJournal.Span?) {
    for damage in inspection.damages {
      // The last fragment of a growing file is incomplete.
      if isBeingWritten, damage.kind == .torn { continue }
      add(damage.kind == .torn ? .torn : .damaged, damage.description)
    }
    let longest = inspection.tracks.compactMap { track in
      track.start.flatMap { start in track.end.map { $0 - start } }
    }.max()
    // A broadcast may end with the keyframe that begins a file.
    let isShort = longest.map { $0 <= Self.maxTrackDistance } ?? false
    for track in inspection.tracks {
      let name = track.kind?.rawValue ?? "track \(track.track.id)"
      if track.samples == 0, !isBeingWritten, !isShort, !inspection.isRepaired {
        add(.trackEmpty, "\(name) has no samples")
      }
      if track.stepsBack > 0 {
        let first = track.firstStepBack.map { ", first at \($0)" } ?? ""
        add(.timesGoBack, "\(name): \(track.stepsBack) timestamps do not increase\(first)")
      }
    }
    if case .wrong(let reason) = inspection.index { add(.indexWrong, "the mfra index is wrong: \(reason)") }
    if case .wrong(let reason) = inspection.segmentIndex, !isBeingWritten {
      add(.indexWrong, "the sidx index is wrong: \(reason)")
    }
    if let journal, let span { gapCheck = GapCheck(journal.journal, of: span, inspection) }
    let edges = inspection.edges
    if isDefect(edges.start) {
      add(.tracksBeginApart, "the tracks begin \(edges.start?.length ?? .zero) apart")
    }
    // The last fragment may have only one track so far.
    if isDefect(edges.end), !isBeingWritten {
      add(.tracksEndApart, "the tracks end \(edges.end?.length ?? .zero) apart")
    }
    if let next = span?.missingNext(in: folder(of: path)) {
      add(.fileMissing, "the broadcast's next file, \(next), is missing")
    }
    guard let check = gapCheck else { return }
    for found in check.gaps where found.kind == .notThere {
      add(.gapWithoutHole, "the journal's gap at \(found.at) (\(found.gap.cause)) has no hole in the file")
    }
    for hole in check.unexplained {
      let name = hole.track?.rawValue ?? "a track"
      add(
        .holeWithoutGap,
        "\(name) has a hole at \(hole.at), \(hole.length) long, that is not in the journal")
    }
  }

  /// `edge` is what a track lacks at the beginning or the end of the file.
  private func isDefect(_ edge: TrackSurvey.Hole?) -> Bool {
    guard let edge, edge.length > Self.maxTrackDistance else { return false }
    if inspection?.isRepaired ?? false { return false }
    return !(gapCheck?.explains(edge) ?? false)
  }

  private mutating func readMarks(_ bytes: RecordingBytes, areNeeded: Bool) {
    guard let inspection, inspection.isUndamagedBeforeItsEnd else {
      if areNeeded { add(.noMarks, "the marks of a damaged recording are not read") }
      return
    }
    silenceFFmpeg()
    marks = (try? CheckedMedia(path: path, bytes, until: inspection.wholeLength)).flatMap {
      RecordedMarks($0, resumptions: gapCheck?.resumptions ?? [])
    }
    guard let marks else {
      if areNeeded { add(.noMarks, "the pictures have no marks") }
      return
    }
    let hasBlack = journal?.hasMutedPictures ?? false
    if let gapCheck {
      // A black picture is there, but the number of the one that it stands for is not.
      var black = hasBlack ? marks.unreadable : 0
      for missing in marks.missing where !gapCheck.explains(missing.at) {
        let numbers = missing.numbers
        if numbers.count <= black {
          black -= numbers.count
          continue
        }
        add(
          .marksMissing,
          "pictures \(numbers.lowerBound) to \(numbers.upperBound) are missing before \(missing.at)")
      }
    }
    if marks.repeated > 0 { add(.marksTwice, "\(marks.repeated) repeated pictures") }
    if marks.goingBack > 0 { add(.marksBackwards, "\(marks.goingBack) pictures out of order") }
    let hasSlate =
      gapCheck?.gaps.contains { [.device, .deviceBusy, .source].contains($0.gap.cause) } ?? false
    if marks.unreadable > 0, !hasSlate, !hasBlack {
      add(.marksUnreadable, "\(marks.unreadable) pictures without a readable mark")
    }
    if let offset = marks.offset,
      offset.minimum < -Self.maxOffset || offset.maximum > Self.maxOffset
    {
      add(.soundOffset, "sound after picture: \(offset)")
    }
  }
}

extension RecordingInspection {
  /// What a track lacks at the beginning and at the end of the file; nil for a single track.
  var edges: (start: TrackSurvey.Hole?, end: TrackSurvey.Hole?) {
    let full = tracks.filter { $0.samples > 0 }
    guard full.count > 1, let first = full.compactMap(\.start).min(), let last = full.compactMap(\.end).max()
    else { return (nil, nil) }
    let starts = full.compactMap { track in track.start.map { track.hole(at: first, to: $0) } }
    let ends = full.compactMap { track in track.end.map { track.hole(at: $0, to: last) } }
    return (starts.max { $0.length < $1.length }, ends.max { $0.length < $1.length })
  }

  /// How far the tracks' starts and ends are apart; nil for a single track.
  package var apart: (starts: MediaTime, ends: MediaTime)? {
    guard case (let start?, let end?) = edges else { return nil }
    return (start.length, end.length)
  }
}
