internal import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform
package import HoldfastRecording

/// What a broadcast needs of the world.
package protocol BroadcastEnvironment {
  /// Answered by `opened` or `openingFailed`.
  mutating func open()
  mutating func runMedia(from now: MonotonicTime)
  /// Since when media time has run; nil where it has not begun.
  mutating func pauseMedia(at now: MonotonicTime) -> MediaStart?
  mutating func holdMedia()
  mutating func command(_ command: OutputCommand)
  mutating func flushRecorder()
  mutating func request(_ request: EncoderRequest)
  /// Returns when a transition is on the disk.
  mutating func write(_ entry: JournalEntry, ago: MediaTime)
  mutating func observe(_ observation: Broadcast.Observation)
  mutating func publishSnapshot(_ state: Snapshot.State, disk: DiskState, at now: MonotonicTime)
  mutating func answer(_ answer: BroadcastAnswer)
  /// Answered by `finished`.
  mutating func finish()
  mutating func wait(
    for inbox: Inbox<BroadcastMachine.Event>, until deadline: MonotonicTime?
  ) -> BroadcastMachine.Event?

  /// Something has been captured that is not encoded yet.
  var isBehind: Bool { get }
  func mediaTime(at now: MonotonicTime) -> MediaTime
  var isMediaRunning: Bool { get }
}

/// Carries out what a broadcast's machine decides, and keeps the journal and the snapshot up to date meanwhile.
package struct BroadcastDriver<Environment: BroadcastEnvironment>: Driver {
  private let id: String
  private var machine: BroadcastMachine
  private var timers = Timers()
  private var environment: Environment
  /// Nil where nobody looks at snapshots.
  private let snapshotInterval: MediaTime?
  private var nextSnapshot: MonotonicTime?

  package init(
    of id: String, _ settings: BroadcastMachine.Settings, _ environment: Environment,
    snapshotInterval: MediaTime? = .milliseconds(250)
  ) {
    self.id = id
    machine = BroadcastMachine(settings)
    self.environment = environment
    self.snapshotInterval = snapshotInterval
  }

  package var isFinished: Bool { if case .ended = machine.state { true } else { false } }
  package var state: BroadcastMachine.State { machine.state }

  package var nextDeadline: MonotonicTime? {
    guard machine.shownState != nil else { return nil }
    return [timers.next, nextSnapshot].compactMap(\.self).min()
  }

  package mutating func handle(_ event: BroadcastMachine.Event, at now: Instant) {
    for action in machine.handle(event, at: now) { perform(action, at: now) }
    checkpoint(at: now)
  }

  package mutating func fireTimers(at now: Instant) {
    while machine.shownState != nil, let number = timers.takeDue(at: now.monotonic) {
      switch BroadcastMachine.Timer(rawValue: number) {
      case .hold: handle(.holdTimedOut(isBehind: environment.isBehind), at: now)
      case .outputsReturn: handle(.returnTimedOut, at: now)
      case .drain: handle(.drainTimedOut, at: now)
      case nil: break
      }
    }
    showSnapshot(at: now)
  }

  package mutating func wait(
    for inbox: Inbox<BroadcastMachine.Event>, until deadline: MonotonicTime?
  ) -> BroadcastMachine.Event? {
    environment.wait(for: inbox, until: deadline)
  }

  private mutating func showSnapshot(at now: Instant) {
    guard let snapshotInterval, let state = machine.shownState else { return }
    let due = nextSnapshot ?? now.monotonic + snapshotInterval
    nextSnapshot = due
    guard due <= now.monotonic else { return }
    nextSnapshot = due + snapshotInterval
    environment.publishSnapshot(state, disk: machine.recording.disk, at: now.monotonic)
    checkpoint(at: now)
  }

  /// The journal takes one as soon as media time runs, and then once a second.
  private mutating func checkpoint(at now: Instant) {
    guard machine.shownState != nil, environment.isMediaRunning else { return }
    environment.write(.checkpoint(environment.mediaTime(at: now.monotonic)), ago: .zero)
  }

  private mutating func perform(_ action: BroadcastMachine.Action, at now: Instant) {
    switch action {
    case .open: environment.open()
    case .runMedia: environment.runMedia(from: now.monotonic)
    case .pauseMedia: handle(.mediaPaused(environment.pauseMedia(at: now.monotonic)), at: now)
    case .holdMedia: environment.holdMedia()
    case .command(let command): environment.command(command)
    case .flushRecorder: environment.flushRecorder()
    case .request(let request): environment.request(request)
    case .write(let entry, let ago): environment.write(entry, ago: ago)
    case .writeInterrupted(let cause, let until):
      let mediaAt = environment.mediaTime(at: now.monotonic)
      environment.write(
        .interrupted(cause: cause.rawValue, mediaAt: mediaAt, resumableUntil: until), ago: .zero)
    case .report(let event): environment.observe(.event(EventLine(at: now.wall, broadcast: id, event: event)))
    case .note(let text): environment.observe(.note(text))
    case .answer(let answer): environment.answer(answer)
    case .setTimer(let timer, let delay): timers.set(timer.rawValue, at: now.monotonic + delay)
    case .cancelTimer(let timer): timers.cancel(timer.rawValue)
    case .finish: environment.finish()
    }
  }
}
