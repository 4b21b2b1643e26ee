import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestRandomness

@testable import HoldfastMembership

/// A box with its member, a network that loses and delays, and a hub, in virtual time.
struct BoxRun {
  /// What happens to a request.
  enum Fault: CaseIterable {
    case requestLost
    /// Carried out, but nobody hears of it.
    case answerLost
    /// Carried out long after the box has given up.
    case late
    /// Carried out twice; the second answer is the one that is seen.
    case cameTwice
  }

  private enum Delivery {
    case toBox(MembershipMachine.Event)
    /// The outcome of a request.
    case answer(Int, MembershipMachine.Event)
    case toHub(Int, MembershipMachine.Request, isAnswered: Bool)
  }

  var hub: TestHub
  var settings: MembershipMachine.Settings
  let credential: Session.Credential
  private(set) var machine: MembershipMachine
  private(set) var now = MonotonicTime(nanoseconds: 0)
  /// The hubs can't be reached.
  var isCut = false
  /// The host beats, so that the session is led.
  var keepHost = false
  var faultsOneIn = 0

  // What the box is and has done.
  private(set) var disk: MembershipRecord?
  private(set) var muted: Set<TrackKind> = []
  private(set) var outputs: [Session.Rendition: String] = [:]
  var output: String? { outputs[.main] }
  private(set) var isScreenShown = false
  /// Without a camera to return to.
  var canHideScreen = true
  private(set) var screenRequests = 0
  /// Until when the source is busy with the switch from or to the screen.
  private var screenIsDue: MonotonicTime?
  private(set) var reports: [MembershipReport] = []
  private(set) var hasEnded = false
  private(set) var requests: [MembershipMachine.Action] = []
  private(set) var problems: [String] = []
  var condition = Session.Member.Condition.idle

  private var choice: SplitMix64
  /// Each of a process of the box, or for one.
  private var deliveries: [(at: MonotonicTime, order: Int, process: Int, what: Delivery)] = []
  private var count = 0
  private var process = 0
  private var stream: (number: Int, lease: String, last: EventID)?
  private var inFlight: Int?
  private var nextAdvance = MonotonicTime(nanoseconds: 0)

  static let timeout = MediaTime.seconds(4)

  init(
    seed: UInt64 = 1, credential: Session.Credential = TestHub.participant, hub: TestHub? = nil,
    key: String? = nil, _ change: (inout MembershipMachine.Settings) -> Void = { _ in }
  ) throws {
    self.hub = try hub ?? TestHub(seed: seed)
    self.credential = credential
    choice = SplitMix64(seed: seed)
    settings = MembershipMachine.Settings(address: "https://hub/Hall", name: try Session.DisplayName("Box"))
    change(&settings)
    disk = key.map { MembershipRecord(key: $0) }
    machine = MembershipMachine(settings, record: disk, randomness: SplitMix64(seed: seed))
  }

  var member: Session.Member? {
    get throws {
      try hub.session().meeting?.members.first { $0.identity.key == disk?.key }
    }
  }

  // MARK: - The box

  mutating func handle(_ event: MembershipMachine.Event, passing time: MediaTime? = nil) throws {
    try perform(machine.handle(event, at: now))
    if let time { try pass(time) }
  }

  /// The process dies, and the broadcast goes on in the next one.
  mutating func crash() throws {
    process += 1
    stream = nil
    inFlight = nil
    (isScreenShown, screenIsDue) = (false, nil)
    settings.continues = true
    // As the journal of the broadcast has it.
    settings.muted = muted
    machine = MembershipMachine(
      settings, record: disk, randomness: SplitMix64(seed: UInt64.random(in: 0...(.max), using: &choice)))
    try handle(.started)
    try state()
  }

  mutating func become(_ condition: Session.Member.Condition, passing time: MediaTime? = nil) throws {
    self.condition = condition
    try state()
    if let time { try pass(time) }
  }

  /// By the box's operator, whom a switch that is going on refuses.
  mutating func showScreen(_ isShown: Bool, passing time: MediaTime? = nil) throws {
    if screenIsDue == nil, isScreenShown != isShown {
      isScreenShown = isShown
      try handle(.screenShown(isShown))
    }
    if let time { try pass(time) }
  }

  /// A source takes its time, and a screen may not open.
  private mutating func switchScreen(to isShown: Bool) {
    if screenIsDue != nil { problems.append("the screen is asked for while it is being switched") }
    let delay = MediaTime.milliseconds(Int64.random(in: 1...3000, using: &choice))
    screenIsDue = now + delay
    screenRequests += 1
    let isFaulty = faultsOneIn > 0 && Int.random(in: 0..<faultsOneIn, using: &choice) == 0
    let result = (isShown ? !isFaulty : canHideScreen) ? isShown : isScreenShown
    deliver(.toBox(.screenSwitched(isShown: result)), after: delay)
  }

  private mutating func state() throws {
    try handle(.reported(Session.Member.Report(condition, muted: muted)))
  }

  mutating func takeReports() -> [MembershipReport] {
    defer { reports = [] }
    return reports
  }

  mutating func takeRequests() -> [MembershipMachine.Action] {
    defer { requests = [] }
    return requests
  }

  private mutating func perform(_ actions: [MembershipMachine.Action]) throws {
    var mutesChanged = false
    for action in actions {
      if machine.state == .superseded, action.isRequest { problems.append("\(action) after superseded") }
      switch action {
      case .remember(let record): disk = record
      case .send(let number, let request):
        if let inFlight { problems.append("\(number) is sent before \(inFlight) is answered") }
        inFlight = number
        requests.append(action)
        send(number, request)
      case .openStream(let number, let lease, let after):
        requests.append(action)
        open(number, lease, after)
      case .closeStream: stream = nil
      case .changeHub, .askPassword: requests.append(action)
      case .mute(let tracks):
        muted = tracks
        mutesChanged = true
      case .showScreen(let isShown): switchScreen(to: isShown)
      case .publish(let rendition, let address): outputs[rendition] = address
      case .unpublish(let rendition): outputs[rendition] = nil
      case .endBroadcast: hasEnded = true
      case .report(let report): reports.append(report)
      }
    }
    if let deadline = machine.nextDeadline, deadline <= now {
      problems.append("due at \(deadline) when it is \(now): \(machine.state)")
    }
    if mutesChanged { try state() }
  }

  // MARK: - The network

  private mutating func send(_ number: Int, _ request: MembershipMachine.Request) {
    let fault =
      faultsOneIn > 0 && Int.random(in: 0..<faultsOneIn, using: &choice) == 0
      ? Fault.allCases.randomElement(using: &choice) : nil
    if isCut || fault == .requestLost {
      let delay = isCut ? MediaTime.milliseconds(1) : Self.timeout
      return deliver(.answer(number, .failed(number, .unreachable("lost"))), after: delay)
    }
    switch fault {
    case .late:
      deliver(
        .toHub(number, request, isAnswered: false), after: .seconds(Int64.random(in: 5...30, using: &choice)))
      deliver(.answer(number, .failed(number, .unreachable("late"))), after: Self.timeout)
    case .answerLost:
      deliver(.toHub(number, request, isAnswered: false), after: latency)
      deliver(
        .answer(number, .failed(number, .unreachable("no answer"))), after: Self.timeout)
    case .cameTwice:
      deliver(.toHub(number, request, isAnswered: false), after: .milliseconds(1))
      deliver(.toHub(number, request, isAnswered: true), after: latency)
    case .requestLost, nil: deliver(.toHub(number, request, isAnswered: true), after: latency)
    }
  }

  private var latency: MediaTime {
    mutating get { .milliseconds(Int64.random(in: 2...80, using: &choice)) }
  }

  private mutating func deliver(_ what: Delivery, after delay: MediaTime, of process: Int? = nil) {
    count += 1
    deliveries.append((now + delay, count, process ?? self.process, what))
  }

  private mutating func open(_ number: Int, _ lease: String, _ after: String) {
    let isLost = isCut || faultsOneIn > 0 && Int.random(in: 0..<faultsOneIn, using: &choice) == 0
    guard !isLost, let last = EventID(after) else {
      return deliver(.toBox(.streamClosed(number, .unreachable("lost"))), after: latency)
    }
    stream = (number, lease, last)
    deliver(.toBox(.streamOpened(number)), after: latency)
  }

  /// Streams break with the network, and whenever chance wants it.
  mutating func breakStream() {
    guard let number = stream.take()?.number else { return }
    deliver(.toBox(.streamClosed(number, .unreachable("broken"))), after: .milliseconds(1))
  }

  /// The network is away, and streams break.
  mutating func cut() {
    isCut = true
    breakStream()
  }

  mutating func cut(passing time: MediaTime) throws {
    cut()
    try pass(time)
  }

  mutating func mend(passing time: MediaTime) throws {
    isCut = false
    try pass(time)
  }

  private mutating func pushEvents() throws {
    guard let (number, lease, last) = stream, !isCut else { return }
    guard let (events, seen) = try hub.events(lease, after: last) else {
      stream = nil
      return deliver(
        .toBox(.streamClosed(number, .unreachable("ended"))), after: .milliseconds(1))
    }
    stream?.last = seen
    let delay = latency
    for event in events { deliver(.toBox(.streamed(number, event)), after: delay) }
    if !events.isEmpty, try !hub.isIn(lease) {
      stream = nil
      let end = MembershipMachine.Event.streamClosed(number, .unreachable("ended"))
      deliver(.toBox(end), after: delay + .milliseconds(1))
    }
  }

  // MARK: - Time

  /// Somebody who has not joined gives a command, and time passes.
  mutating func act(
    _ command: Session.Command, as credential: Session.Credential = TestHub.host,
    for member: Session.Member.ID? = nil, passing time: MediaTime
  ) throws {
    try hub.act(command, as: credential, for: member)
    try pass(time)
  }

  mutating func pass(_ time: MediaTime) throws {
    let end = now + time
    try pushEvents()
    while let next = nextInstant(), next <= end { try step(to: next) }
    hub.pass(end - now)
    now = end
  }

  private func nextInstant() -> MonotonicTime? {
    ([machine.nextDeadline, nextAdvance].compactMap(\.self) + deliveries.map(\.at)).min()
  }

  private mutating func step(to next: MonotonicTime) throws {
    let next = max(now, next)
    hub.pass(next - now)
    now = next
    if now >= nextAdvance {
      nextAdvance = now + .seconds(1)
      if keepHost { try hub.keepHost() }
      try hub.advance()
    }
    while let index = deliveries.indices.filter({ deliveries[$0].at <= now }).min(by: {
      (deliveries[$0].at, deliveries[$0].order) < (deliveries[$1].at, deliveries[$1].order)
    }) {
      let (_, _, process, what) = deliveries.remove(at: index)
      switch what {
      case .toBox(let event) where process == self.process:
        if case .screenSwitched(let isShown) = event { (isScreenShown, screenIsDue) = (isShown, nil) }
        try handle(event)
      case .answer(inFlight, let event) where process == self.process:
        inFlight = nil
        try handle(event)
      case .toBox, .answer: break
      case .toHub(let number, let request, let isAnswered):
        let answer = try hub.carryOut(number, request, credential)
        if isAnswered { deliver(.answer(number, answer), after: latency, of: process) }
      }
    }
    if let deadline = machine.nextDeadline, deadline <= now { try handle(.timePassed) }
    try pushEvents()
  }
}

extension MembershipMachine.Action {
  var isRequest: Bool {
    switch self {
    case .send, .openStream: true
    case .remember, .closeStream, .changeHub, .askPassword, .mute, .showScreen, .publish, .unpublish,
      .endBroadcast, .report:
      false
    }
  }
}

extension TestHub {
  /// The answer to a request.
  mutating func carryOut(
    _ number: Int, _ request: MembershipMachine.Request, _ credential: Session.Credential
  ) throws -> MembershipMachine.Event {
    do {
      switch request {
      case .join(let request): return .joined(number, try join(request, credential))
      case .beat(let lease, let request): return .beaten(number, try beat(lease, request))
      case .command(let lease, let request):
        try command(lease, request)
        return .commanded(number)
      case .leave(let lease):
        try leave(lease)
        return .left(number)
      }
    } catch let failure as HubFailure {
      return .failed(number, failure)
    }
  }
}

extension BoxRun {
  /// A box that is in a session whose host is somebody else.
  static func joined(_ change: (inout MembershipMachine.Settings) -> Void = { _ in }) throws -> BoxRun {
    var run = try BoxRun(change)
    try run.hub.enter("host")
    try run.handle(.started, passing: .seconds(1))
    run.keepHost = true
    _ = run.takeReports()
    _ = run.takeRequests()
    return run
  }

  func id() throws -> Session.Member.ID {
    guard let id = try member?.id else { throw TestFailure("the box is not a member") }
    return id
  }

  var isJoined: Bool {
    if case .joined = machine.state { true } else { false }
  }
}
