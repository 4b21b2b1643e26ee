import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

@testable import HoldfastPublishing

/// A machine with a model of its one connection, which notes violated invariants.
struct OutputMachineStory {
  enum Connection { case none, attempting, prepared, open, suspending, suspended, closing }

  private(set) var machine: OutputMachine
  private(set) var now = MonotonicTime.at(0)
  private(set) var connection = Connection.none
  private(set) var number = 0
  private(set) var timers: [Int: MonotonicTime] = [:]
  private(set) var problems: [String] = []
  private(set) var addresses: [OutputAddress] = []
  /// Actions on connections, such as `connect 1 record`.
  private var verbs: [String] = []
  private var reports: [Output.Event] = []
  private var hasSentMedia = false
  private var isDecided = false

  static let publishing: [OutputMachine.Event] = [
    .publish, .track(SampleTracks.video), .connected(1), .mediaSent(1, lost: OutputLoss()), .proven(1),
  ]

  /// A story from the first media on, in which `messages` happen.
  static func published(
    _ messages: OutputMachine.Event..., to address: String = "rtmp://host/app/key"
  ) throws -> OutputMachineStory {
    var story = try OutputMachineStory(publishing, to: address)
    _ = (story.takeVerbs(), story.takeReports())
    for message in messages { story.handle(message) }
    return story
  }

  init(
    _ messages: [OutputMachine.Event] = [], to address: String = "rtmp://host/app/key",
    _ change: (inout Output.Settings) -> Void = { _ in }
  ) throws {
    var settings = Output.Settings(id: "test", address: try OutputAddress(address))
    change(&settings)
    machine = OutputMachine(settings, tracks: [.video], randomness: SystemRandomNumberGenerator())
    for message in messages { handle(message) }
  }

  /// The verbs since the last time, once `messages` have happened.
  mutating func takeVerbs(after messages: OutputMachine.Event...) -> [String] {
    for message in messages { handle(message) }
    defer { verbs = [] }
    return verbs
  }

  /// The reports since the last time, once `messages` have happened.
  mutating func takeReports(after messages: OutputMachine.Event...) -> [Output.Event] {
    for message in messages { handle(message) }
    defer { reports = [] }
    return reports
  }

  mutating func handle(_ messages: OutputMachine.Event...) { for message in messages { handle(message) } }

  private mutating func handle(_ message: OutputMachine.Event) {
    switch message {
    case .prepared(number) where connection == .attempting: connection = .prepared
    case .connected(number, _) where connection == .attempting: connection = .open
    case .mediaSent(number, _) where connection == .open: hasSentMedia = true
    case .suspended(number, _) where connection == .suspending: connection = .suspended
    case .disconnected(number, _) where connection != .none: connection = .none
    case .publish: isDecided = false
    default: break
    }
    follow(machine.handle(message, at: now))
  }

  mutating func pass(_ time: MediaTime) {
    now = now + time
    while let due = timers.filter({ $0.value <= now }).min(by: { $0.value < $1.value }) { fire(due.key) }
  }

  mutating func fireNextTimer() {
    guard let next = timers.min(by: { $0.value < $1.value }) else { return }
    now = max(now, next.value)
    fire(next.key)
  }

  private mutating func fire(_ timer: Int) {
    timers[timer] = nil
    follow(machine.handle(.timerFired(timer), at: now))
  }

  /// Stops, and delivers the outcomes then awaited.
  mutating func finish() {
    handle(.stop)
    for _ in 0..<3 where machine.state != .finished { handle(.disconnected(number)) }
  }

  private mutating func follow(_ actions: [OutputMachine.Action]) {
    for action in actions { follow(action) }
    if timers.count > 2 { problems.append("\(timers.count) timers") }
  }

  private mutating func follow(_ action: OutputMachine.Action) {
    switch action {
    case .prepare(let number, _, _):
      note("prepare \(number)", action, connection == .none && number == self.number + 1)
      (connection, self.number) = (.attempting, number)
    case .connect(let number, let address, let request):
      let isNew = connection == .none && number == self.number + 1
      let isPrepared = connection == .prepared && number == self.number
      note("connect \(number) \(request.type)", action, isNew || isPrepared)
      addresses.append(address)
      (connection, self.number) = (.attempting, number)
    case .resume(let number):
      note("resume \(number)", action, connection == .suspended && number == self.number)
      connection = .attempting
    case .begin:
      note("begin", action, connection == .open)
      hasSentMedia = false
    case .change: note("change", action, connection == .open)
    case .hold(let isHeld): note(isHeld ? "hold" : "release", action, connection == .open)
    case .send: note("send", action, connection == .open)
    case .requestKeyframe: note("requestKeyframe", action, connection == .open)
    case .close(let number, let keepsSession):
      let canClose = connection == .open || connection == .suspended && !keepsSession
      note("\(keepsSession ? "suspend" : "close") \(number)", action, canClose && number == self.number)
      connection = keepsSession ? .suspending : .closing
    case .drop(let number, _):
      // The last one has a number of its own: only the queue is left.
      let isLast = connection == .none && number == self.number + 1
      let isCurrent = [.attempting, .prepared, .open].contains(connection) && number == self.number
      note("drop \(number)", action, isLast || isCurrent)
      (connection, self.number) = (.closing, number)
    case .setTimer(let timer, let deadline): timers[timer] = deadline
    case .cancelTimer(let timer): expect(timers.removeValue(forKey: timer) != nil || timer == 0, action)
    case .report(let event): report(event, action)
    }
  }

  private mutating func report(_ event: Output.Event, _ action: OutputMachine.Action) {
    reports.append(event)
    switch event {
    case .changed(let condition, _): expect(condition.state != .publishing || hasSentMedia, action)
    case .firstAttemptFinished:
      expect(!isDecided, action)
      isDecided = true
    case .accepted, .lost, .bitrateRequested: break
    }
  }

  private mutating func note(_ verb: String, _ action: OutputMachine.Action, _ holds: Bool) {
    verbs.append(verb)
    expect(holds, action)
  }

  private mutating func expect(_ holds: Bool, _ action: OutputMachine.Action) {
    if !holds { problems.append("\(action) while \(connection), connection \(number)") }
  }

  private var isResuming: Bool { if case .resuming = machine.state { true } else { false } }

  /// An environment reports only outcomes of what was requested.
  func allows(_ message: OutputMachine.Event) -> Bool {
    switch message {
    case .prepared, .connected: connection == .attempting
    case .failed: connection == .attempting || connection == .open
    case .mediaSent, .exchanged: connection == .open
    case .suspended: connection == .suspending
    case .disconnected:
      switch connection {
      case .suspending, .suspended, .closing: true
      case .attempting: isResuming
      case .none, .prepared, .open: false
      }
    case .track, .prepare, .publish, .pause, .stop, .networkChanged, .move, .limit, .send, .timerFired: true
    }
  }
}

extension OutputMachine.Event {
  static func disconnected(
    _ number: Int, _ lost: OutputLoss = OutputLoss(), unsettled: OutputLoss = OutputLoss()
  ) -> OutputMachine.Event {
    .disconnected(number, OutputEnd(lost: lost, unsettled: unsettled))
  }

  static func suspended(_ number: Int) -> OutputMachine.Event { .suspended(number, OutputEnd()) }

  static func proven(_ number: Int) -> OutputMachine.Event {
    .exchanged(number, OutputReading(SinkHealth(lastProgress: .at(0)), isProven: true))
  }

  static func exchanged(
    _ number: Int, answeredAt: MediaTime = .zero, isWaiting: Bool = false, lost: OutputLoss = OutputLoss()
  ) -> OutputMachine.Event {
    let answer = .at(0) + answeredAt
    let health = SinkHealth(lastProgress: answer, confirmedUntil: answer, isWaitingForPeer: isWaiting)
    return .exchanged(number, OutputReading(health, lost: lost))
  }
}

extension Output.Event {
  var change: (condition: OutputLifecycle.Condition, reason: String?)? {
    if case .changed(let condition, let reason) = self { (condition, reason) } else { nil }
  }

  var condition: OutputLifecycle.Condition? { change?.condition }
  var loss: OutputLoss? { if case .lost(let loss) = self { loss } else { nil } }
}

extension OutputLoss {
  static func video(_ durations: MediaTime...) -> OutputLoss {
    var loss = OutputLoss()
    for duration in durations { loss.add(.video, at: .zero, duration) }
    return loss
  }
}
