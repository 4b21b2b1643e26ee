internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRecording

/// What a broadcast leaves behind for a start after a crash. Each entry is on the disk before what it says is told.
///
/// A journal that can't be written harms nobody: it is said once.
final class BroadcastJournal: Sendable {
  private struct Known: Sendable {
    var isLive = false
    var isOver = false
    var accepted: Set<String> = []
    /// Requests to extend the session that stand in it.
    var requests: Set<String> = []
    /// What media time is read from.
    var timeLine: TimeLine?
    var nextCheckpoint: MonotonicTime?
  }

  private let thread: JournalThread
  private let known: Locked<Known>

  private static let checkpointInterval = MediaTime.seconds(1)

  /// The journal of a new broadcast; nil where there can be none, which `note` says.
  init?(
    of broadcast: String, name: String, in folder: JournalFolder, note: @escaping @Sendable (String) -> Void
  ) {
    guard let thread = Self.open(note, { () throws(JournalError) in try folder.begin(broadcast) }) else {
      return nil
    }
    self.thread = thread
    known = Locked(Known())
    thread.write(.began(.init(broadcast: broadcast, name: name)))
  }

  /// Continues the journal of a resumed broadcast.
  init?(of resumed: ResumedBroadcast, in folder: JournalFolder, note: @escaping @Sendable (String) -> Void) {
    let broadcast = resumed.broadcast
    guard let thread = Self.open(note, { () throws(JournalError) in try folder.resume(broadcast.id) }) else {
      return nil
    }
    self.thread = thread
    known = Locked(Known(isLive: true, accepted: Set(broadcast.acceptedOutputs)))
    guard broadcast.interruption == nil else { return }
    // From when nothing is recorded: the time that it costs can be read from the journal alone.
    let window = resumed.since.wall.nanoseconds &+ resumed.window.nanoseconds
    thread.write(
      .interrupted(
        cause: Interruption.crash, mediaAt: resumed.mediaEnd,
        resumableUntil: WallTime(nanoseconds: window)), at: resumed.since)
  }

  private static func open(
    _ note: @escaping @Sendable (String) -> Void, _ writer: () throws(JournalError) -> JournalWriter
  ) -> JournalThread? {
    let isSaid = Locked(false)
    let report: @Sendable (any Error) -> Void = { error in
      let isNews = isSaid.withLock { isSaid in
        defer { isSaid = true }
        return !isSaid
      }
      if isNews { note("the journal is not whole: \(error)") }
    }
    do {
      return try JournalThread(try writer(), report: report)
    } catch {
      report(error)
      return nil
    }
  }

  func write(_ entry: JournalEntry, at instant: JournalInstant = .now()) {
    let entries = known.withLock { known -> [JournalEntry] in
      switch entry {
      case _ where known.isOver: return []
      // One that was not live has left nothing to resume.
      case .backgrounded where !known.isLive: return []
      case .session(var session):
        session.requests = session.requests.filter { known.requests.insert($0.key).inserted }
        return session.parts.map(JournalEntry.session)
      case .began, .recording, .live, .outputAccepted, .interrupted, .resumed, .gap, .checkpoint, .muted,
        .gate,
        .backgrounded, .ended:
        return [entry]
      }
    }
    for entry in entries { thread.write(entry, at: instant) }
  }

  /// Media time is what `timeLine` says.
  func follow(_ timeLine: TimeLine) {
    known.withLock { $0.timeLine = timeLine }
  }

  /// A file of the recording is about to be written.
  func recording(_ path: String, _ tracks: [Track], origin: MediaTime) {
    write(.recording(path: absolutePath(path), tracks: TracksFingerprint(tracks), origin: origin))
  }

  func live(_ type: PublishType) {
    known.withLock { $0.isLive = true }
    write(.live(type))
  }

  func accepted(_ output: String) {
    guard known.withLock({ $0.accepted.insert(output).inserted }) else { return }
    write(.outputAccepted(output))
  }

  /// One that was not live has left nothing to go on with.
  func interrupted(_ cause: Lifecycle.Cause, until: WallTime) {
    guard let mediaAt = known.withLock({ $0.isLive ? $0.timeLine?.mediaTime(at: .now) : nil }) else { return }
    write(.interrupted(cause: cause.rawValue, mediaAt: mediaAt, resumableUntil: until))
  }

  /// Media time went on from `media` a little while ago, at `since`.
  func resumed(at media: MediaTime, since: MonotonicTime) {
    let ago = (MonotonicTime.now - since).nanoseconds
    var instant = JournalInstant.now()
    instant.wall.nanoseconds -= ago
    instant.sinceBoot.nanoseconds -= ago
    write(.resumed(mediaAt: media), at: instant)
    known.withLock { $0.nextCheckpoint = nil }
  }

  func gap(_ gap: Gap) {
    write(.gap(gap))
  }

  /// It is alive. To be called often; it is written as soon as media time runs, then once a second.
  func checkpoint() {
    let (instant, now) = (JournalInstant.now(), MonotonicTime.now)
    let media = known.withLock { known -> MediaTime? in
      guard known.isLive, known.nextCheckpoint.map({ $0 <= now }) ?? true, let line = known.timeLine,
        line.runningSince != nil
      else { return nil }
      known.nextCheckpoint = now + Self.checkpointInterval
      return line.mediaTime(at: now)
    }
    guard let media, !known.withLock({ $0.isOver }) else { return }
    thread.write(.checkpoint(media), at: instant)
  }

  /// The last entry.
  func ended(_ reason: BroadcastEvent.EndReason) {
    known.withLock { $0.isOver = true }
    thread.write(.ended(reason: reason.rawValue))
    thread.finish()
  }
}
