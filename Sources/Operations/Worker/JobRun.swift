import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastRecording
import HoldfastSession
import HoldfastSessionClient

/// One job of a worker: tells the hub how it is, and keeps the process that publishes running.
struct JobRun: ~Copyable {
  private let job: WorkerHub.WaitingJob
  private let settings: ProgrammeChild.Settings
  private let note: @Sendable (String) -> Void
  private var hub: WorkerHub
  private var machine = JobMachine()
  private var child: ProgrammeChild?
  private var grant: JobMachine.Grant?
  private var isLive = false
  private var nextStart = MonotonicTime(nanoseconds: 0)
  /// How far the broadcast was when a worker last said so; nil before anybody has published.
  private var progress: (mediaTime: MediaTime, at: JournalInstant)?

  private static let interval = MediaTime.seconds(1)
  /// Until the broadcast is live, so that this is told as soon as it is.
  private static let shortInterval = MediaTime.milliseconds(250)
  /// Before a process that has ended by itself is started again.
  private static let pause = MediaTime.seconds(3)

  init(
    _ job: WorkerHub.WaitingJob, _ settings: ProgrammeChild.Settings, _ hub: consuming WorkerHub,
    note: @escaping @Sendable (String) -> Void
  ) {
    (self.job, self.settings, self.note) = (job, settings, note)
    self.hub = hub
  }

  /// Returns when the job is another's or over, or after `stop`; the process has ended then.
  mutating func run(until stop: Wakeup) {
    handle(.started)
    while !machine.isFinished, !stop.isSignalled {
      let interval = isLive ? Self.interval : Self.shortInterval
      let deadline = min(machine.nextDeadline ?? .now + interval, .now + interval)
      wait(until: deadline, or: stop)
      keepJob()
    }
    endKeepingJob()
    handle(.stopped)
  }

  private mutating func keepJob() {
    if let report = report() { handle(.reported(report)) }
    if let due = machine.nextDeadline, due <= .now { handle(.timePassed) }
  }

  /// A process may take longer to end than a lease lasts that nobody renews, and nobody else may begin before.
  private mutating func endKeepingJob() {
    if let child, let noStop = try? Wakeup() {
      child.askToEnd()
      let limit = MonotonicTime.now + ProgrammeChild.grace
      while !machine.isFinished, .now < limit, child.wait(until: .now + Self.interval, or: noStop) == nil {
        keepJob()
      }
    }
    end()
  }

  private mutating func wait(until deadline: MonotonicTime, or stop: Wakeup) {
    guard let child else {
      stop.wait(until: deadline)
      if !stop.isSignalled, nextStart <= .now { start() }
      return
    }
    guard let last = child.wait(until: deadline, or: stop) else { return }
    note("\(job.session): the programme's process has ended: \(last)")
    end()
    progress?.at = .now()
    nextStart = .now + Self.pause
  }

  /// Nil before the broadcast begins.
  private mutating func report() -> Session.WorkReport? {
    guard grant != nil else { return nil }
    guard let report = child?.report() else { return Session.WorkReport(.trouble, because: "programmeEnded") }
    isLive = report.state == .live
    if report.mediaTime > .zero { progress = (report.mediaTime, .now()) }
    return report
  }

  private mutating func handle(_ event: JobMachine.Event) {
    var events = [event]
    while !events.isEmpty {
      for action in machine.handle(events.removeFirst(), at: .now) {
        perform(action)
        if let outcome = hub.answer(action, of: job) { events.append(outcome) }
      }
    }
  }

  private mutating func perform(_ action: JobMachine.Action) {
    switch action {
    case .take, .work, .release: break
    case .begin(let grant):
      self.grant = grant
      progress = grant.reportedAgo.map { (grant.mediaTime, .now() - $0) }
      note("\(job.session): on air, addresses: \(grant.outputs.count)")
      start()
    case .close(let ending):
      note("\(job.session): \(ending.text)")
      end()
    }
  }

  private mutating func end() { child.take()?.end() }

  private mutating func start() {
    guard let grant else { return }
    continueBroadcast(grant.broadcast)
    do throws(SystemError) {
      child = try ProgrammeChild(job, grant, settings)
      // A process that is started again goes on with what this one has published.
      self.grant?.publishType = .append
    } catch {
      note("\(job.session): the programme can't be started: \(error)")
      nextStart = .now + Self.pause
    }
  }
}

extension JobRun {
  /// Lets the process that is to start go on with what has been published until now.
  private func continueBroadcast(_ broadcast: String) {
    guard let progress else { return }
    do throws(JournalError) {
      try JournalFolder(name: ProgrammeChild.name(of: job.id), environment: settings.environment)
        .takeOver(broadcast, at: progress.mediaTime, since: progress.at)
    } catch {
      note("\(job.session): the gap since the programme was last on air will not be in its journal: \(error)")
    }
  }
}

extension JobMachine.Ending {
  fileprivate var text: String {
    switch self {
    case .superseded: "another worker has it"
    case .over: "off air"
    case .refused(let failure): "the hub does not give it to this worker: \(failure.reason)"
    }
  }
}
