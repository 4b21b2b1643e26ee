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
  private(set) var now = Instant(
    monotonic: MonotonicTime(nanoseconds: 0), sinceBoot: .zero, wall: WallTime(nanoseconds: 0))

  init(
    hasGate: Bool = false, resuming resumption: Resumption? = nil, offAir: OffAirRecord? = nil,
    _ change: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration()
    change(&configuration)
    driver = ProcessDriver(
      configuration, hasGate: hasGate, resuming: resumption, offAir: offAir, NotedProcessEnvironment(),
      at: now,
      makeID: { "new" })
  }

  static func live() -> ProcessStory {
    var story = ProcessStory()
    story.start()
    story.handle(.opened(1, tracks))
    story.answer(.wentLive)
    return story
  }

  var state: Lifecycle.State { driver.machine.state }
  var events: [BroadcastEvent] { driver.environment.events }
  var journal: [JournalEntry] { driver.environment.journal }

  @discardableResult
  mutating func start(interruptedBy cause: Lifecycle.Cause? = nil) -> [String] {
    driver.start(interruptedBy: cause)
    return driver.environment.takeCalls()
  }

  @discardableResult
  mutating func handle(_ event: ProcessEvent) -> [String] {
    driver.handle(event, at: now)
    return driver.environment.takeCalls()
  }

  /// The newest broadcast answers.
  @discardableResult
  mutating func answer(_ answer: BroadcastAnswer) -> [String] {
    guard let newest = driver.environment.newest else {
      Issue.record("no broadcast has been opened")
      return []
    }
    return handle(.broadcast(newest, answer))
  }

  /// The result is nil if the command is not answered.
  mutating func perform(
    _ command: Lifecycle.Command, until limit: MonotonicTime
  ) -> (result: Lifecycle.CommandResult?, calls: [String]) {
    let result = Locked<Lifecycle.CommandResult?>(nil)
    let request = ProcessRequest.command(command, answer: { answer in result.withLock { $0 = answer } })
    let calls = handle(.request(request, until: limit))
    return (result.withLock { $0 }, calls)
  }

  mutating func pass(_ time: MediaTime) -> [String] {
    now.monotonic = now.monotonic + time
    now.sinceBoot += time
    driver.fireTimers(at: now)
    return driver.environment.takeCalls()
  }
}
