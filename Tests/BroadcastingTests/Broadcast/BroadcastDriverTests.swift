import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

/// An environment in which media runs, and that notes what is journaled of an output.
private final class WritingEnvironment: BroadcastEnvironment {
  var undelivered: [String: [TrackKind: MediaTime]] = [:]
  var encodedUntil = MediaTime.seconds(10)
  var losses: [RunningLoss] = []
  var written: [String] = []

  func losses(at now: MonotonicTime) -> [RunningLoss] { losses }
  func media(at now: MonotonicTime) -> MediaReading { MediaReading(time: .seconds(10), isRunning: true) }
  func write(_ entry: JournalEntry, ago: MediaTime, at now: Instant) {
    switch entry {
    case .checkpoint(_, let behind): written.append(behind.isEmpty ? "checkpoint" : "behind")
    case .losing: written.append("losing")
    default: break
    }
  }

  func open() {}
  func command(_ command: MediaCommand, at now: MonotonicTime) {}
  func pauseMedia(at now: MonotonicTime) -> MediaStart? { nil }
  func command(_ command: OutputCommand) {}
  func flushRecorder() {}
  func request(_ request: EncoderRequest) {}
  var watched: Set<RenditionID> = []
  func refuseViewers(of rendition: RenditionID, why: String) {}
  func report(_ observation: Broadcast.Observation) {}
  func publishSnapshot(
    _ state: Snapshot.State, disk: DiskState, losing: [Gap], _ adaptations: [String: OutputAdaptation],
    at now: MonotonicTime
  ) {}
  func load(at now: MonotonicTime) -> EncodingLoad { .unknown }
  func answer(_ answer: BroadcastAnswer) {}
  func finish() {}
  func wait(
    for inbox: Inbox<BroadcastMachine.Event>, until deadline: MonotonicTime?
  ) -> BroadcastMachine.Event? { nil }
}

@Suite struct BroadcastDriverTests {
  private let environment = WritingEnvironment()

  /// What is written when the timers fire at `milliseconds`.
  private func fire(
    _ driver: inout BroadcastDriver<WritingEnvironment>, at milliseconds: Int64
  ) -> Set<String> {
    environment.written = []
    driver.fireTimers(at: Instant(.milliseconds(milliseconds)))
    return Set(environment.written)
  }

  private func makeDriver() -> BroadcastDriver<WritingEnvironment> {
    var driver = BroadcastDriver(of: "a", MachineStory(outputs: ["x"]).machine.settings, environment)
    for event in [
      BroadcastMachine.Event.started, .opened, .request(.goLive), .recorder(.opened(path: "a.mp4")),
    ] { driver.handle(event, at: Instant(.zero)) }
    _ = fire(&driver, at: 0)
    return driver
  }

  @Test func `a source's delay is no lag of an output`() {
    var driver = makeDriver()
    (environment.encodedUntil, environment.undelivered) = (.milliseconds(9060), ["x": [.video: .seconds(9)]])
    #expect(fire(&driver, at: 33) == ["checkpoint"])
    environment.encodedUntil = .milliseconds(9110)
    #expect(fire(&driver, at: 66).contains("behind"))
  }

  @Test func `what an output lacks is journaled with the next picture`() throws {
    var driver = makeDriver()
    #expect(fire(&driver, at: 30) == [] && fire(&driver, at: 33) == ["checkpoint"])
    environment.undelivered = ["x": [.video: .seconds(9)]]
    #expect(driver.nextDeadline == Instant(.milliseconds(66)).monotonic)
    #expect(fire(&driver, at: 66).contains("behind"))
    var loss = OutputLoss()
    loss.add(.video, at: .seconds(9), .seconds(1))
    environment.losses = [try #require(RunningLoss(loss, of: "x"))]
    #expect(fire(&driver, at: 99).isSuperset(of: ["behind", "losing"]))
    #expect(fire(&driver, at: 132) == ["checkpoint"])
  }
}
