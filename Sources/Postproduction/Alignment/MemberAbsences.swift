package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastRecording

/// When a member was away in the recording of a programme, from the programme's journal.
package struct MemberAbsences: Hashable, Sendable {
  package struct Absence: Hashable, Sendable {
    /// As in the journal; its wall times are those of the clock as it was set last.
    package let gap: Gap
    package let from: WallTime
    package let to: WallTime
    /// Time in the file; nil if the file holds no part of it.
    package let at: MediaTime?
    /// False if the journal does not know its end.
    package let isOver: Bool
  }

  package let journal: String
  package let member: String
  package let absences: [Absence]
  /// The members that the journal names.
  package let members: [String]

  /// `journal` is the path of a journal; nil to search for it.
  package init(
    of member: String, in path: String, journal: String? = nil, environment: [String: String]
  ) throws(RecordingFileError) {
    guard fileExists(path) else {
      throw RecordingFileError(.notFound, path, "no such file", hint: "check the file name")
    }
    let found =
      try journal.map { (path) throws(RecordingFileError) in try RecordingJournal.named(path) }
      ?? RecordingJournal.find(for: path, environment: environment)
    guard let found, let span = found.span(of: path) else {
      throw RecordingFileError(
        .unusable, path, "no journal names it, so what its members lost is unknown",
        hint: "put the journal of its broadcast, ID.jsonl, beside it, or name it with --journal")
    }
    self.init(of: member, found.path, found.journal, span)
  }

  init(of member: String, _ path: String, _ journal: Journal, _ span: RecordingJournal.Span) {
    let map = GapMap(journal)
    let place = MediaPlacement(span, map.interruptions)
    let clocks = BootClocks([journal])
    var noted: [Int: JournalInstant] = [:]
    for record in journal.records {
      switch record.entry {
      case .gap(let gap), .losing(let gap): noted[gap.id] = record.instant
      case .began, .recording, .live, .outputAccepted, .interrupted, .resumed, .checkpoint, .session, .muted,
        .gate, .backgrounded, .ended, .reported:
        break
      }
    }
    let all = map.gaps.map { ($0, true) } + map.openLosses.map { ($0.gap, false) }
    let own = all.filter { $0.0.member == member }.sorted { $0.0.mediaAt < $1.0.mediaAt }
    absences = own.map { gap, isOver in
      let step = noted[gap.id].map { clocks.wall(of: $0) - $0.wall } ?? .zero
      let start = max(gap.mediaAt, place.origin)
      let isInside = place.contains(start) && gap.mediaAt + gap.extent >= start
      return Absence(
        gap: gap, from: gap.wallFrom.moved(by: step), to: gap.wallTo.moved(by: step),
        at: isInside ? place.time(of: start) : nil, isOver: isOver)
    }
    members = Set(all.compactMap { $0.0.member }).sorted()
    self.member = member
    self.journal = path
  }
}
