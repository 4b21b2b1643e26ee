package import HoldfastMP4
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
  /// Gaps and an interruption that were journaled right before the crash: their events may be missing.
  package private(set) var unreportedGaps: [Gap] = []
  package private(set) var unreportedInterruption: Interruption?
  package let gapMap: GapMap
  /// The oldest undelivered media of each track of the outputs that were behind.
  private var behind: [String: [TrackKind: MediaTime]] = [:]
  /// What a power cut took of the ends of its files, as found there.
  package var seamLosses: [Gap] = []

  /// A file, and the media time that is 0 in it.
  package struct Recording: Hashable, Sendable {
    package let path: String
    /// Their fingerprint.
    package let tracks: String
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
    addUnreported(journal)
  }

  /// How long an event may be on its way to its readers.
  private static let reportingTime = MediaTime.seconds(2)

  private mutating func addUnreported(_ journal: Journal) {
    func isRecent(_ instant: JournalInstant) -> Bool {
      instant.elapsed(until: lastSign).map { $0 < Self.reportingTime } ?? true
    }
    unreportedGaps = journal.records.compactMap {
      if case .gap(let gap) = $0.entry, isRecent($0.instant) { gap } else { nil }
    }
    if let last = gapMap.interruptions.last(where: { $0.to != nil }), last.to.map(isRecent) ?? false {
      unreportedInterruption = last
    }
  }

  private mutating func add(_ record: JournalRecord) {
    switch record.entry {
    case .recording(let path, let tracks, let origin):
      recordingPath = path
      recordings.append(Recording(path: path, tracks: tracks, origin: origin, since: resumedAt ?? origin))
    case .live:
      knownInstant = record.instant
      live = live ?? record.instant
    case .outputAccepted(let output):
      if !acceptedOutputs.contains(output) { acceptedOutputs.append(output) }
    case .interrupted(let cause, let mediaAt, _):
      add(mediaAt, at: record.instant)
      standsStill = true
      // Before any other interruption the outputs have delivered everything, or reported it as lost.
      if cause != Interruption.crash { behind = [:] }
    case .resumed(let mediaAt, _):
      (resumedAt, behind) = (mediaAt, [:])
      mediaContinued(mediaAt, at: record.instant)
    case .checkpoint(let mediaAt, let behind):
      self.behind = behind
      mediaContinued(mediaAt, at: record.instant)
    case .session(let state):
      var state = state
      state.requests.merge(session?.requests ?? [:]) { new, _ in new }
      (session, sessionInstant) = (state, record.instant)
    case .muted(let tracks):
      muted = tracks
    case .backgrounded:
      isBackgrounded = true
    case .gap(let gap):
      if gap.cause == .crash, let output = gap.output { behind[output] = nil }
    case .began, .losing, .gate, .ended, .reported:
      break
    }
  }

  private mutating func mediaContinued(_ mediaAt: MediaTime, at instant: JournalInstant) {
    standsStill = false
    add(mediaAt, at: instant)
  }

  private mutating func add(_ mediaAt: MediaTime, at instant: JournalInstant) {
    // Media time implies a live broadcast, whose entry may be damaged.
    live = live ?? instant
    mediaTime = max(mediaTime, mediaAt)
    guard !standsStill else { return }
    knownInstant = instant
    knownMedia = mediaAt
  }

  /// The paths in the journal that do not have the name of a recording of `broadcaster`, and the broadcast without them:
  /// a journal may change no other files.
  package func withoutForeignFiles(of broadcaster: String) -> (UnfinishedBroadcast, foreign: [String]) {
    func isForeign(_ path: String) -> Bool { RecordingName(fileName(of: path), of: broadcaster) == nil }
    var own = self
    own.recordings.removeAll { isForeign($0.path) }
    if recordingPath.map(isForeign) == true { own.recordingPath = own.recordings.last?.path }
    let paths = recordings.map(\.path) + [recordingPath].compactMap(\.self)
    return (own, Set(paths.filter(isForeign)).sorted())
  }

  /// The losses that no gap has ended, and what outputs had not delivered, as gaps that end with the broadcast's media.
  package func cutLosses(at end: MediaTime) -> [Gap] {
    let wallTo = instant(of: end).wall
    return gapMap.openLosses.filter { $0.gap.mediaAt < end }.map { loss in
      let gap = loss.gap.moved(by: loss.noted.clockStep(until: lastSign))
      return gap.cause.isContinuous ? loss.grown(gap, until: end, wallTo: wallTo) : gap
    } + numbered(seamLosses + undelivered(at: end))
  }

  /// Like the gaps of a resumed broadcast.
  private func numbered(_ gaps: [Gap]) -> [Gap] {
    let known = gapMap.gaps + gapMap.openLosses.map(\.gap)
    let numbered = max(known.map(\.id).max() ?? 0, known.count) + gapMap.interruptions.count { $0.to != nil }
    let id = max(numbered, gapMap.interruptions.compactMap(\.gapID).max() ?? 0)
    return gaps.enumerated().map { index, gap in
      var gap = gap
      gap.id = id + 1 + index
      return gap
    }
  }

  private func undelivered(at end: MediaTime) -> [Gap] {
    behind.sorted { $0.key < $1.key }.compactMap { output, oldest in
      let losses = gapMap.openLosses.filter { $0.gap.output == output }
      let end = losses.map(\.gap.mediaAt).reduce(end, min)
      guard let earliest = oldest.values.min(), earliest < end else { return nil }
      // What the queue dropped has gaps of its own.
      let dropped = gapMap.gaps.filter { $0.output == output && $0.mediaAt >= earliest }
      func lost(_ track: TrackKind, _ lost: (Gap) -> MediaTime) -> MediaTime {
        dropped.reduce(max(.zero, end - (oldest[track] ?? end))) { max(.zero, $0 - lost($1)) }
      }
      let (video, audio) = (lost(.video, \.lostVideo), lost(.audio, \.lostAudio))
      guard max(video, audio) > .zero else { return nil }
      let start = (video > .zero ? oldest[.video] : oldest[.audio]) ?? earliest
      return Gap(
        .crash, output: output, wallFrom: instant(of: start).wall, wallTo: instant(of: end).wall,
        mediaAt: start, lostVideo: video, lostAudio: audio, extent: end - start)
    }
  }

  /// The media time that is 0 in `known`, the file that was announced as `path`. A file that keeps gaps has several
  /// origins; its end shows which is the last one with media after it.
  package func origin(of known: FragmentedFile, announcedAs path: String) -> MediaTime {
    let places = recordings.filter { $0.path == path }
    return (places.last { $0.origin + known.end > $0.since } ?? places.first)?.origin ?? .zero
  }

  /// When `media` was captured, extrapolated from the latest known instant.
  package func instant(of media: MediaTime) -> JournalInstant {
    // A recording that grew by more since the last entry is a different one.
    let most = MediaTime.seconds(3600).nanoseconds
    let (difference, isTooLarge) = media.nanoseconds.subtractingReportingOverflow(knownMedia.nanoseconds)
    return knownInstant.moved(
      by: MediaTime(nanoseconds: isTooLarge ? 0 : min(max(difference, -most), most)))
  }
}

extension Gap.Cause {
  /// Everything is lost until the loss is over, not single pictures or sounds.
  fileprivate var isContinuous: Bool {
    switch self {
    case .source, .xrun, .encoderTooSlow: false
    case .user, .system, .crash, .worker, .device, .deviceBusy, .diskTooSlow, .disk, .diskFailed, .fileGone,
      .network:
      true
    }
  }
}

extension GapMap.OpenLoss {
  /// A recording that ends before `since` lacks what lies behind its end anyway.
  fileprivate func grown(_ gap: Gap, until end: MediaTime, wallTo: WallTime) -> Gap {
    let (growth, most) = (max(.zero, end - since), end - gap.mediaAt)
    let isWhole = since == gap.mediaAt
    func grown(_ lost: MediaTime) -> MediaTime {
      lost > .zero ? min((isWhole ? .zero : lost) + growth, most) : .zero
    }
    let video = grown(gap.lostVideo)
    let pictures = Double(gap.lostPictures) * video.seconds / max(gap.lostVideo.seconds, 0.001)
    return Gap(
      gap.cause, id: gap.id, output: gap.output, wallFrom: gap.wallFrom, wallTo: max(gap.wallFrom, wallTo),
      mediaAt: gap.mediaAt, lostVideo: video, lostPictures: Int(pictures.rounded()),
      lostAudio: grown(gap.lostAudio), extent: most, isFilled: gap.isFilled, member: gap.member)
  }
}

extension Gap {
  /// By a wall clock that has been set since.
  fileprivate func moved(by step: MediaTime) -> Gap {
    Gap(
      cause, id: id, output: output, wallFrom: wallFrom + step, wallTo: wallTo + step, mediaAt: mediaAt,
      lostVideo: lostVideo, lostPictures: lostPictures, lostAudio: lostAudio, extent: extent,
      isFilled: isFilled, member: member)
  }
}
