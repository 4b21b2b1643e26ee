package import HoldfastMediaModel

/// A broadcast whose journal has no end, with what is needed to resume or finish it.
package struct UnfinishedBroadcast: Hashable, Sendable {
  package let id: String
  package let name: String
  /// The latest file; nil without a recording.
  package private(set) var recordingPath: String?
  /// All announced files, latest last; one that keeps its gaps is announced again after each.
  package private(set) var recordings: [Recording] = []
  package private(set) var live: JournalInstant?
  package private(set) var lastSign: JournalInstant
  /// The last journaled media time; the recording may be longer.
  package private(set) var mediaTime = MediaTime.zero
  /// The latest instant with a known media time.
  private var knownInstant: JournalInstant
  private var knownMedia = MediaTime.zero
  private var standsStill = false
  private var resumedAt: MediaTime?
  /// Outputs that are requested to append, in order of acceptance.
  package private(set) var acceptedOutputs: [String] = []
  package private(set) var session: JournaledSession?
  package private(set) var sessionInstant: JournalInstant?
  package private(set) var muted: Set<TrackKind> = []
  package private(set) var isBackgrounded = false
  package let gapMap: GapMap

  /// A file, and the media time that is 0 in it.
  package struct Recording: Hashable, Sendable {
    package let path: String
    package let origin: MediaTime
    /// The media time from which on the origin applies.
    package let since: MediaTime
  }

  package var interruption: Interruption? { gapMap.openInterruption }

  /// Nil if the broadcast has ended or never went live, or the journal has no valid beginning.
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
      recordings.append(Recording(path: path, origin: origin, since: resumedAt ?? origin))
    case .live:
      knownInstant = record.instant
      live = live ?? record.instant
    case .outputAccepted(let output):
      if !acceptedOutputs.contains(output) { acceptedOutputs.append(output) }
    case .interrupted(_, let mediaAt, _):
      add(mediaAt, at: record.instant)
      standsStill = true
    case .resumed(let mediaAt), .checkpoint(let mediaAt):
      if case .resumed = record.entry { resumedAt = mediaAt }
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
    case .began, .gap, .losing, .gate, .ended:
      break
    }
  }

  private mutating func add(_ mediaAt: MediaTime, at instant: JournalInstant) {
    // Media time implies a live broadcast, whose entry may be damaged.
    live = live ?? instant
    mediaTime = max(mediaTime, mediaAt)
    guard !standsStill else { return }
    knownInstant = instant
    knownMedia = mediaAt
  }

  /// The losses that no gap has ended, as gaps that end with the broadcast's media.
  package func cutLosses(at end: MediaTime) -> [Gap] {
    let wallTo = instant(of: end).wall
    return gapMap.openLosses.filter { $0.gap.mediaAt < end }.map {
      $0.gap.cause.isContinuous ? $0.grown(until: end, wallTo: wallTo) : $0.gap
    }
  }

  /// When `media` was captured, extrapolated from the latest known instant.
  package func instant(of media: MediaTime) -> JournalInstant {
    // A recording that grew by more since the last entry is a different one.
    let most = MediaTime.seconds(3600).nanoseconds
    let (difference, isTooLarge) = media.nanoseconds.subtractingReportingOverflow(knownMedia.nanoseconds)
    let length = isTooLarge ? 0 : min(max(difference, -most), most)
    var instant = knownInstant
    instant.wall.nanoseconds = instant.wall.nanoseconds.addingReportingOverflow(length).partialValue
    instant.sinceBoot.nanoseconds = instant.sinceBoot.nanoseconds.addingReportingOverflow(length).partialValue
    return instant
  }
}

extension Gap.Cause {
  /// Everything is lost until the loss is over, not single pictures or sounds.
  fileprivate var isContinuous: Bool {
    switch self {
    case .source, .xrun, .encoderTooSlow: false
    case .user, .system, .crash, .device, .deviceBusy, .diskTooSlow, .disk, .diskFailed, .fileGone, .network:
      true
    }
  }
}

extension GapMap.OpenLoss {
  /// A recording that ends before `since` lacks what lies behind its end anyway.
  fileprivate func grown(until end: MediaTime, wallTo: WallTime) -> Gap {
    let (growth, most) = (max(.zero, end - since), end - gap.mediaAt)
    func grown(_ lost: MediaTime) -> MediaTime { lost > .zero ? min(lost + growth, most) : .zero }
    let video = grown(gap.lostVideo)
    let pictures = Double(gap.lostPictures) * video.seconds / max(gap.lostVideo.seconds, 0.001)
    return Gap(
      gap.cause, id: gap.id, output: gap.output, wallFrom: gap.wallFrom, wallTo: max(gap.wallFrom, wallTo),
      mediaAt: gap.mediaAt, lostVideo: video, lostPictures: Int(pictures.rounded()),
      lostAudio: grown(gap.lostAudio), extent: most)
  }
}
