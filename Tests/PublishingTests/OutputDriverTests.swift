import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastPublishing

/// An environment that notes its calls.
private final class NotingEnvironment: OutputEnvironment {
  private(set) var calls: [String] = []
  private(set) var figures = OutputFigures()

  func prepare(_ number: Int, to address: OutputAddress, _ request: PublishRequest) {
    calls.append("prepare \(number)")
  }
  func connect(_ number: Int, to address: OutputAddress, _ request: PublishRequest) {
    calls.append("connect \(number) \(address.redacted) \(request.type)")
  }
  func resume(_ number: Int) { calls.append("resume \(number)") }
  func begin(isFresh: Bool) { calls.append("begin \(isFresh)") }
  func change(to tracks: [Track]) { calls.append("change") }
  func hold(_ isHeld: Bool) { calls.append("hold \(isHeld)") }
  func send(_ event: CustomEvent) { calls.append("send \(event.name)") }
  func close(_ number: Int, keepsSession: Bool, within limit: MediaTime) {
    calls.append("close \(number) \(keepsSession) \(limit)")
  }
  func drop(_ number: Int, keepsQueue: Bool) { calls.append("drop \(number) \(keepsQueue)") }
  func requestKeyframe() { calls.append("requestKeyframe") }
  func report(_ event: Output.Event) {
    if case .changed(let condition, _) = event { calls.append("\(condition.state)") }
  }
  func show(_ figures: OutputFigures) { self.figures = figures }
  func wait(for inbox: Inbox<OutputMachine.Event>, until deadline: MonotonicTime?) -> OutputMachine.Event? {
    nil
  }
}

@Suite struct OutputDriverTests {
  @Test func `the driver performs each action of the machine, and fires its timers`() throws {
    var settings = Output.Settings(id: "test", address: try OutputAddress("rtmp://host/app/key"))
    settings.outage = .catchUp
    let environment = NotingEnvironment()
    var driver = OutputDriver(settings, tracks: [.video], environment)
    var now = Instant(monotonic: .init(nanoseconds: 0), sinceBoot: .zero, wall: .init(nanoseconds: 0))
    let messages: [OutputMachine.Event] =
      OutputMachineStory.publishing + [
        .send(CustomEvent(name: "score", text: "1:0")), .pause, .suspended(1), .publish, .connected(1),
        .failed(1, SinkError(.closed, "closed")), .disconnected(1),
      ]
    for message in messages { driver.handle(message, at: now) }
    #expect(environment.figures.condition.state == .waiting && driver.nextDeadline != nil)
    now.monotonic = now.monotonic + .seconds(5)
    driver.fireTimers(at: now)
    driver.handle(.stop, at: now)
    driver.handle(.disconnected(2), at: now)
    driver.handle(.disconnected(3), at: now)
    #expect(driver.isFinished && driver.nextDeadline == nil)
    #expect(
      environment.calls == [
        "connecting", "connect 1 rtmp://host/app/*** record", "begin false", "publishing", "send score",
        "close 1 true \(MediaTime.milliseconds(1600))", "closed", "connecting", "resume 1", "begin false",
        "requestKeyframe", "drop 1 true", "waiting", "connect 2 rtmp://host/app/*** append",
        "drop 2 true", "closed", "drop 3 false",
      ])
  }
}
