import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

/// A broadcaster's driver that handles one event after another, and what it then asked of its environment.
struct ProcessStory {
  static let tracks = OpenTracks([.video, .audio])

  private(set) var driver: ProcessDriver<NotedProcessEnvironment>
  private(set) var now = Instant(.zero)

  /// What the latest answer to the gate asked of the environment.
  private(set) var latest: [String] = []

  init(
    hasGate: Bool = false, resuming resumption: Resumption? = nil, offAir: OffAirRecord? = nil,
    _ change: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration()
    change(&configuration)
    driver = ProcessDriver(
      configuration, hasGate: hasGate, resuming: resumption, offAir: offAir, NotedProcessEnvironment(),
      at: now, makeID: { "new" })
  }

  /// With open sources.
  static func opened(_ change: (inout Configuration) -> Void = { _ in }) -> ProcessStory {
    var story = ProcessStory(change)
    story.start()
    story.handle(.opened(1, tracks))
    return story
  }

  static func live() -> ProcessStory {
    var story = opened()
    story.answer(.wentLive)
    return story
  }

  var state: Lifecycle.State { driver.machine.state }
  var events: [BroadcastEvent] { driver.environment.events }
  var journal: [JournalEntry] { driver.environment.journal }

  @discardableResult mutating func start(interruptedBy cause: Lifecycle.Cause? = nil) -> [String] {
    driver.start(interruptedBy: cause)
    return driver.environment.takeCalls()
  }

  @discardableResult mutating func handle(_ event: ProcessEvent) -> [String] {
    driver.handle(event, at: now)
    return driver.environment.takeCalls()
  }

  @discardableResult
  mutating func command(_ command: Lifecycle.Command) -> [String] { handle(.lifecycle(.command(command))) }

  /// The newest broadcast answers.
  @discardableResult mutating func answer(_ answer: BroadcastAnswer) -> [String] {
    guard let newest = driver.environment.newest else {
      Issue.record("no broadcast has been opened")
      return []
    }
    return handle(.broadcast(newest, answer))
  }

  /// The result is nil if the command is not answered.
  mutating func perform(
    _ command: Lifecycle.Command, by person: String? = nil, until limit: MonotonicTime
  ) -> (result: Lifecycle.CommandResult?, calls: [String]) {
    let result = Locked<Lifecycle.CommandResult?>(nil)
    let request = ProcessRequest.command(
      command, by: person, answer: { answer in result.withLock { $0 = answer } })
    let calls = handle(.request(request, until: limit))
    return (result.withLock { $0 }, calls)
  }

  mutating func ready(_ isReady: Bool = true, _ reason: String? = nil, by person: String) -> ReadyResult? {
    let result = Locked<ReadyResult?>(nil)
    let answer = ReadyAnswer(isReady: isReady, reason: reason, by: person)
    let request = ProcessRequest.ready(answer, answer: { answer in result.withLock { $0 = answer } })
    latest = handle(.request(request, until: now.monotonic))
    return result.withLock { $0 }
  }

  mutating func pass(_ time: MediaTime) -> [String] {
    now.monotonic = now.monotonic + time
    now.sinceBoot += time
    driver.fireTimers(at: now)
    return driver.environment.takeCalls()
  }
}
