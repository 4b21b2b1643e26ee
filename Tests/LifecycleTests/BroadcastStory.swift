import HoldfastMediaModel

@testable import HoldfastLifecycle

/// The life of a process with its outputs and its recordings, as a test drives it and looks at it.
///
/// What the broadcast asks of an output reaches it in its own time, as with a thread of its own.
struct BroadcastStory {
  private(set) var life: LifecycleStory
  private(set) var outputs: [OutputStory] = []
  /// What has been asked of each output and has not reached it.
  private var mailboxes: [[OutputLifecycle.Event]]
  private(set) var recordings: [Recording] = []
  private(set) var problems: [String] = []
  /// Each publish that an output has requested, with the number of its broadcast.
  private(set) var publishes: [Publish] = []
  private(set) var actions: [Lifecycle.Action] = []
  private var broadcasts = 0
  private let keepsHistory: Bool
  private let seed: UInt64
  private let publishType: PublishType

  struct Publish: Hashable {
    let broadcast: Int
    let type: PublishType
  }

  /// What is on disk, by the media time that was recorded.
  struct Recording: Hashable {
    enum State: Hashable { case awaiting, written, paused, finished }

    let broadcast: Int
    var state = State.awaiting
    var length = MediaTime.zero
    /// When what is written now began.
    var since: MonotonicTime?
  }

  init(
    _ settings: Lifecycle.Settings = Lifecycle.Settings(), outputs: Int = 1,
    publishType: PublishType = .record, keepsHistory: Bool = true, seed: UInt64 = 1
  ) {
    life = LifecycleStory(settings)
    mailboxes = Array(repeating: [], count: outputs)
    self.publishType = publishType
    self.keepsHistory = keepsHistory
    self.seed = seed
  }

  var now: MonotonicTime { life.now }
  var state: Lifecycle.State { life.state }
  var hasProblems: Bool {
    !problems.isEmpty || !life.problems.isEmpty || outputs.contains { !$0.problems.isEmpty }
  }
  var allProblems: [String] { problems + life.problems + outputs.flatMap(\.problems) }

  mutating func handle(_ event: Lifecycle.Event) {
    // Outputs drain within the same time limit.
    if let closing = life.closing, event == .timerFired(closing) { deliverAll() }
    if event == .wentLive { beginRecording() }
    let new = life.handle(event)
    for action in new { follow(action) }
    if keepsHistory { actions += new }
  }

  mutating func handle(_ event: OutputLifecycle.Event, output: Int) { change(output) { $0.handle(event) } }

  mutating func fireTimer(output: Int) { change(output) { $0.fireTimer() } }

  private mutating func change(_ output: Int, _ change: (inout OutputStory) -> Void) {
    guard outputs.indices.contains(output) else { return }
    outputs[output].now = now
    change(&outputs[output])
    life.now = max(now, outputs[output].now)
    for type in outputs[output].publishTypes { publishes.append(Publish(broadcast: broadcasts, type: type)) }
    outputs[output].actions = []
    if !keepsHistory { publishes = [] }
  }

  /// The next thing that was asked of an output reaches it.
  mutating func deliver(output: Int) {
    guard !mailboxes[output].isEmpty else { return }
    handle(mailboxes[output].removeFirst(), output: output)
  }

  mutating func deliverAll() {
    for output in mailboxes.indices { while !mailboxes[output].isEmpty { deliver(output: output) } }
  }

  var hasDelivered: Bool { mailboxes.allSatisfy(\.isEmpty) }

  mutating func pass(_ time: MediaTime) { life.now = now + time }

  /// Lets time pass until the next timer fires.
  mutating func fireTimer() {
    guard let (number, at) = life.timers.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return }
    life.now = max(now, at)
    handle(.timerFired(number))
  }

  /// Completes the first pending request, or lets it fail.
  mutating func answer(badly: Bool = false) {
    guard let answer = life.answers.first(where: { $0.isBad == badly }) else {
      return problems.append("nothing to answer")
    }
    handle(answer)
    deliverAll()
  }

  /// After each of the events, everything that was requested is done, and nothing goes wrong.
  mutating func settle(after events: Lifecycle.Event...) {
    for event in events {
      handle(event)
      settle()
    }
  }

  mutating func settle() {
    deliverAll()
    for _ in 0..<20 where life.answers.contains(where: { !$0.isBad }) { answer() }
  }
}

// MARK: - What is done

extension BroadcastStory {
  private mutating func follow(_ action: Lifecycle.Action) {
    switch action {
    case .openBroadcast: beginBroadcast(wasAccepted: false)
    case .prepare: ask(.prepareRequested)
    case .resumeAfterCrash:
      beginBroadcast(wasAccepted: true)
      ask(.pauseRequested)
    case .goLive, .resume:
      ask(action == .resume ? .resumeRequested : .startRequested)
      if action == .resume, life.hasGoneLive { beginRecording() }
    case .pause:
      ask(.pauseRequested)
      stopRecording(.paused)
    case .close:
      ask(.stopRequested)
      stopRecording(.finished)
    case .openDevices, .closeDevices, .askGate, .cancelGate, .setTimer, .cancelTimer, .report: break
    }
  }

  private mutating func ask(_ event: OutputLifecycle.Event) {
    for output in mailboxes.indices { mailboxes[output].append(event) }
  }

  private mutating func beginBroadcast(wasAccepted: Bool) {
    if outputs.contains(where: { $0.isOpen || !$0.timers.isEmpty }) {
      problems.append("an output still publishes the last broadcast")
    }
    problems += outputs.flatMap(\.problems)
    broadcasts += 1
    outputs = mailboxes.indices.map { index in
      OutputStory(
        publishType: publishType, hasPublished: wasAccepted,
        seed: seed &+ UInt64(broadcasts) &* 16 &+ UInt64(index))
    }
    if !hasDelivered { problems.append("the last broadcast has left something to do") }
    if !keepsHistory { recordings = [] }
    recordings.append(Recording(broadcast: broadcasts, state: wasAccepted ? .paused : .awaiting))
  }

  /// With the media.
  private mutating func beginRecording() {
    guard let last = recordings.last, last.broadcast == broadcasts, [.awaiting, .paused].contains(last.state)
    else { return problems.append("media begins with the recording \(recordings.last.debugDescription)") }
    recordings[recordings.count - 1].state = .written
    recordings[recordings.count - 1].since = now
  }

  private mutating func stopRecording(_ state: Recording.State) {
    guard var recording = recordings.popLast() else { return problems.append("no recording to stop") }
    if let since = recording.since {
      if now < since { problems.append("media time goes back") }
      recording.length = recording.length + (now - since)
    }
    recording.since = nil
    // What was never live leaves nothing at its end.
    if recording.state != .awaiting { recording.state = state }
    if recording.state != .awaiting || state == .paused { recordings.append(recording) }
  }
}

extension Lifecycle.Event {
  /// An answer that says no.
  var isBad: Bool {
    switch self {
    case .devicesFailed, .gateRefused: true
    case .command, .previewRequested, .resumeAfterCrashRequested, .offAirRequested, .sleepBegan, .sleepEnded,
      .devicesOpened, .prepared, .gateBegan, .gatePassed, .wentLive, .paused, .nothingBegun, .closed,
      .timerFired, .interruptionBegan, .interruptionEnded, .maxDurationReached, .sessionExpired,
      .sharedSessionOver, .sourcesEnded, .failed:
      false
    }
  }
}
