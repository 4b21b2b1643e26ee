package import HoldfastMediaModel

/// A broadcast whose journal has no end: all that is needed to resume it, or to finish it as it is.
package struct UnfinishedBroadcast: Hashable, Sendable {
  package let id: String
  package let name: String
  /// The file that is written last; nil where nothing is recorded.
  package private(set) var recordingPath: String?
  /// The files of the recording as they were announced, the latest last; one that keeps its gaps comes behind each of them.
  package private(set) var recordings: [Recording] = []
  package private(set) var live: JournalInstant?
  /// The last entry of any kind.
  package private(set) var lastSign: JournalInstant
  /// How far the time line was known to have come. The recording may have come further.
  package private(set) var mediaTime = MediaTime.zero
  /// An instant of which the place on the media time line is known; the latest.
  private var knownInstant: JournalInstant
  private var knownMedia = MediaTime.zero
  private var standsStill = false
  /// The outputs that are asked to append, in the order in which they accepted.
  package private(set) var acceptedOutputs: [String] = []
  /// Of a session of limited time, with all its requests.
  package private(set) var session: JournaledSession?
  /// When `session` was written.
  package private(set) var sessionInstant: JournalInstant?
  /// The tracks that were muted.
  package private(set) var muted: Set<TrackKind> = []
  /// Once in the background it can't be resumed.
  package private(set) var isBackgrounded = false
  package let gapMap: GapMap

  /// A file, and where it begins on the media time line.
  package struct Recording: Hashable, Sendable {
    package let path: String
    package let origin: MediaTime
  }

  /// The interruption that it was in.
  package var interruption: Interruption? { gapMap.openInterruption }

  /// Nil where nothing is left to do: the broadcast has ended, nothing of it ever went out, or the journal does not say
  /// what it is of.
  package init?(_ journal: Journal) {
    guard !journal.isEnded, let beginning = journal.beginning, let first = journal.records.first,
      let last = journal.records.last
    else { return nil }
    id = beginning.broadcast
    name = beginning.name
    recordingPath = beginning.recording
    lastSign = last.instant
    knownInstant = first.instant
    gapMap = GapMap(journal)
    for record in journal.records { add(record) }
    guard live != nil else { return nil }
  }

  private mutating func add(_ record: JournalRecord) {
    switch record.entry {
    case .recording(let path, _, let origin):
      recordingPath = path
      recordings.append(Recording(path: path, origin: origin))
    case .live:
      knownInstant = record.instant
      live = live ?? record.instant
    case .outputAccepted(let output):
      if !acceptedOutputs.contains(output) { acceptedOutputs.append(output) }
    case .interrupted(_, let mediaAt, _):
      add(mediaAt, at: record.instant)
      standsStill = true
    case .resumed(let mediaAt), .checkpoint(let mediaAt):
      standsStill = false
      add(mediaAt, at: record.instant)
    case .session(let state):
      var state = state
      state.requests.merge(session?.requests ?? [:]) { new, _ in new }
      (session, sessionInstant) = (state, record.instant)
    case .muted(let tracks):
      muted = tracks
    case .backgrounded:
      isBackgrounded = true
    case .began, .gap, .gate, .ended:
      break
    }
  }

  private mutating func add(_ mediaAt: MediaTime, at instant: JournalInstant) {
    // Only a live broadcast has a media time, so the entry that said so may be damaged.
    live = live ?? instant
    mediaTime = max(mediaTime, mediaAt)
    guard !standsStill else { return }
    knownInstant = instant
    knownMedia = mediaAt
  }

  /// When what lies at `media` was captured: a little before or behind an instant that an entry has told.
  package func instant(of media: MediaTime) -> JournalInstant {
    // A recording that has grown by more than this since the last entry is another one.
    let most = MediaTime.seconds(3600).nanoseconds
    let (difference, isTooLarge) = media.nanoseconds.subtractingReportingOverflow(knownMedia.nanoseconds)
    let length = isTooLarge ? 0 : min(max(difference, -most), most)
    var instant = knownInstant
    instant.wall.nanoseconds = instant.wall.nanoseconds.addingReportingOverflow(length).partialValue
    instant.sinceBoot.nanoseconds = instant.sinceBoot.nanoseconds.addingReportingOverflow(length).partialValue
    return instant
  }
}
