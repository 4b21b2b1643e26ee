import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastPlatform
import HoldfastRecording

/// Carries out the decisions of `BroadcastMachine`, and updates the journal and the snapshot.
package struct BroadcastDriver<Environment: BroadcastEnvironment>: Driver {
  private let id: String
  private var machine: BroadcastMachine
  private var timers = Timers()
  private var environment: Environment
  private let snapshotInterval: MediaTime?
  private var nextSnapshot: MonotonicTime?
  private var nextReading: MonotonicTime?

  /// About a picture, which is how exactly a crash shows what an output had delivered.
  private static var readingInterval: MediaTime { .milliseconds(33) }

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
    return [timers.next, nextSnapshot, nextReading].compactMap(\.self).min()
  }

  package mutating func handle(_ event: BroadcastMachine.Event, at now: Instant) {
    for action in machine.handle(event, at: now) { perform(action, at: now) }
    checkpoint(at: now)
  }

  package mutating func fireTimers(at now: Instant) {
    while machine.shownState != nil, let number = timers.takeDue(at: now.monotonic) {
      switch BroadcastMachine.Timer(rawValue: number) {
      case .pause: handle(.pauseTimedOut(isBehind: environment.media(at: now.monotonic).isBehind), at: now)
      case .reconnect: handle(.reconnectTimedOut, at: now)
      case .drain: handle(.drainTimedOut, at: now)
      case nil: break
      }
    }
    guard let snapshotInterval, let state = machine.shownState else { return }
    if Self.isDue(&nextReading, every: Self.readingInterval, at: now) { read(at: now) }
    guard Self.isDue(&nextSnapshot, every: snapshotInterval, at: now) else { return }
    if machine.needsLoad { handle(.loadRead(environment.load(at: now.monotonic)), at: now) }
    environment.publishSnapshot(
      state, disk: machine.recording.disk, losing: machine.losses.losing, machine.ownEncodes.adaptations,
      at: now.monotonic)
  }

  private static func isDue(
    _ next: inout MonotonicTime?, every interval: MediaTime, at now: Instant
  ) -> Bool {
    let due = next ?? now.monotonic + interval
    let isDue = due <= now.monotonic
    next = isDue ? now.monotonic + interval : due
    return isDue
  }

  package mutating func wait(
    for inbox: Inbox<BroadcastMachine.Event>, until deadline: MonotonicTime?
  ) -> BroadcastMachine.Event? {
    environment.wait(for: inbox, until: deadline)
  }

  private mutating func read(at now: Instant) {
    if machine.viewedEncodes.needsLoad {
      let watched = environment.watched
      if watched != machine.viewedEncodes.watched { handle(.viewersRead(watched), at: now) }
    }
    let undelivered = environment.undelivered
    if !undelivered.isEmpty {
      handle(.deliveriesRead(undelivered: undelivered, at: environment.encodedUntil), at: now)
    }
    handle(.lossesRead(environment.losses(at: now.monotonic)), at: now)
  }

  /// Offers a checkpoint while media time runs; `JournalFilter` limits them.
  private mutating func checkpoint(at now: Instant) {
    let media = environment.media(at: now.monotonic)
    guard machine.shownState != nil, media.isRunning else { return }
    environment.write(.checkpoint(media.time, behind: machine.behind), ago: .zero, at: now)
  }

  private mutating func perform(_ action: BroadcastMachine.Action, at now: Instant) {
    switch action {
    case .open: environment.open()
    case .media(let command): environment.command(command, at: now.monotonic)
    // Always the last action, so that its outcome is handled after all others.
    case .pauseMedia: handle(.mediaPaused(environment.pauseMedia(at: now.monotonic)), at: now)
    case .command(let command): environment.command(command)
    case .flushRecorder: environment.flushRecorder()
    case .request(let request): environment.request(request)
    case .refuseViewers(let rendition, let why): environment.refuseViewers(of: rendition, why: why)
    case .write(let entry, let ago): environment.write(entry, ago: ago, at: now)
    case .writeInterrupted(let cause, let until):
      let mediaAt = environment.media(at: now.monotonic).time
      environment.write(
        .interrupted(cause: cause.rawValue, mediaAt: mediaAt, resumableUntil: until), ago: .zero, at: now)
    case .report(let event): environment.report(.event(EventLine(at: now.wall, broadcast: id, event: event)))
    case .note(let text): environment.report(.note(text))
    case .warning(let text): environment.report(.warning(text))
    case .answer(let answer): environment.answer(answer)
    case .setTimer(let timer, let delay): timers.set(timer.rawValue, at: now.monotonic + delay)
    case .cancelTimer(let timer): timers.cancel(timer.rawValue)
    case .finish: environment.finish()
    }
  }
}
