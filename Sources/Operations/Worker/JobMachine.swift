import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession

/// Decides what a worker asks of a hub about one job, and when its broadcast begins and closes: a value without clock or
/// I/O, events in, actions out.
///
/// The broadcast never waits for a hub once it has begun: it closes only when a hub says that the job is another's, or over.
/// One request at a time; an outcome of an earlier one has no effect.
struct JobMachine: Machine {
  enum Event: Hashable, Sendable {
    case started
    /// `nextDeadline` has passed.
    case timePassed
    /// How the broadcast is.
    case reported(Session.WorkReport)
    /// The worker was stopped, and its broadcast has ended.
    case stopped

    // Outcomes, with the number of the request.
    case taken(Int, Grant)
    case worked(Int)
    case failed(Int, HubFailure)
  }

  enum Action: Hashable, Sendable {
    case take(Int)
    case work(Int, Session.Lease, Session.WorkReport)
    /// Gives the job back, so that another worker need not wait for the end of its lease.
    case release(Session.Lease, Session.WorkReport)
    /// The broadcast goes on air.
    case begin(Grant)
    /// The broadcast, if it has begun, ends at once.
    case close(Ending)
  }

  /// What a worker gets that takes the job.
  struct Grant: Hashable, Sendable {
    let lease: Session.Lease
    let broadcast: String
    let outputs: [String]
    /// `append` once anybody's publish has begun.
    var publishType: PublishType
    /// As it was reported last: where the gap of whoever takes over begins.
    let mediaTime: MediaTime
    /// How long ago that was; nil if nobody has published yet.
    var reportedAgo: MediaTime?
  }

  /// Why a worker is done with its job.
  enum Ending: Hashable, Sendable {
    /// Another worker has it.
    case superseded
    /// The host took it off the air, or the session is over.
    case over
    /// It never began, as the hub does not give it to this worker.
    case refused(HubFailure)
  }

  enum State: Hashable {
    case idle
    case asking(Request, number: Int)
    case waiting(until: MonotonicTime, Request)
    case done
  }

  enum Request: Hashable {
    case take
    /// Says that the publish begins, before it does.
    case announce
    case work
  }

  private var state = State.idle
  private var grant: Grant?
  private var hasBegun = false
  private var report = Session.WorkReport()
  private var number = 0
  private var actions: [Action] = []

  /// A lease is over after four of them.
  static let interval = MediaTime.seconds(1)
  /// After a failure that nothing but somebody's hand cures.
  static let slowInterval = MediaTime.seconds(10)

  mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
    switch event {
    case .started: if state == .idle { ask(.take) }
    case .timePassed: if case .waiting(let until, let request) = state, now >= until { ask(request) }
    case .reported(let report): note(report, now)
    case .stopped: stop()
    case .taken(let number, let grant): if isAnswered(number) { taken(grant, now) }
    case .worked(let number): if isAnswered(number) { worked(now) }
    case .failed(let number, let failure): if isAnswered(number) { failed(failure, now) }
    }
    defer { actions = [] }
    return actions
  }

  var nextDeadline: MonotonicTime? {
    switch state {
    case .waiting(let until, _): until
    case .idle, .asking, .done: nil
    }
  }

  var isFinished: Bool { state == .done }

  private func isAnswered(_ number: Int) -> Bool {
    if case .asking(_, number) = state { true } else { false }
  }

  private mutating func ask(_ request: Request) {
    number += 1
    state = .asking(request, number: number)
    switch (request, grant) {
    case (.take, _), (_, nil): actions.append(.take(number))
    case (.announce, let grant?), (.work, let grant?):
      report.begun = hasBegun || request == .announce
      actions.append(.work(number, grant.lease, report))
    }
  }

  /// A change of state is told at once.
  private mutating func note(_ new: Session.WorkReport, _ now: MonotonicTime) {
    let isNews = new.state != report.state || new.reason != report.reason
    report = new
    if isNews, hasBegun, case .waiting(_, .work) = state { ask(.work) }
  }

  private mutating func stop() {
    guard state != .done else { return }
    state = .done
    guard let grant else { return }
    actions.append(.release(grant.lease, report.released))
  }

  private mutating func taken(_ new: Grant, _ now: MonotonicTime) {
    grant = new
    if hasBegun { return ask(.work) }
    if new.publishType == .append { return begin(now) }
    ask(.announce)
  }

  private mutating func worked(_ now: MonotonicTime) {
    if !hasBegun { return begin(now) }
    state = .waiting(until: now + Self.interval, .work)
  }

  private mutating func begin(_ now: MonotonicTime) {
    guard let grant else { return }
    hasBegun = true
    actions.append(.begin(grant))
    state = .waiting(until: now + Self.interval, .work)
  }

  private mutating func failed(_ failure: HubFailure, _ now: MonotonicTime) {
    guard case .asking(let request, _) = state else { return }
    switch failure.code {
    case "leaseOver" where request != .take: ask(.take)
    case "superseded", "jobTaken": close(.superseded)
    case "notOnAir", "sessionOver": close(.over)
    // The store came back empty, and the host has not yet.
    case "leaseOver", "noSuchSession": state = .waiting(until: now + Self.interval, request)
    case _ where failure.remedy == .retry: state = .waiting(until: now + Self.interval, request)
    // The broadcast runs: it goes on, and the hub is asked seldom.
    case _ where hasBegun: state = .waiting(until: now + Self.slowInterval, request)
    default: close(.refused(failure))
    }
  }

  private mutating func close(_ ending: Ending) {
    state = .done
    actions.append(.close(ending))
  }
}

extension Session.WorkReport {
  /// The last one, of a worker that is stopped.
  fileprivate var released: Session.WorkReport {
    var report =
      (try? Session.WorkReport(.waiting, reason: "workerStopped", mediaTime: mediaTime, begun: begun)) ?? self
    report.isReleased = true
    return report
  }
}
