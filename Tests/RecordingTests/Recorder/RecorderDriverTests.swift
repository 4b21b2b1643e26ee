import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastRecording

/// An environment that notes the operations that a recorder's driver begins.
private final class NotingEnvironment: RecorderEnvironment {
  private(set) var calls: [String] = []

  func measure() { calls.append("measure") }
  func open(_ opening: RecordingMachine.Opening, _: [Track], origin: MediaTime) { calls.append("open") }
  func write(_ packet: MediaPacket, isLate: Bool) { calls.append("write") }
  func flush() { calls.append("flush") }
  func close(path: String) { calls.append("close \(path)") }
  func synchronize(_ number: Int) { calls.append("synchronize") }
  func finishPrevious(_ number: Int) { calls.append("finishPrevious") }
  func journal(path: String, _ tracks: [Track], origin: MediaTime) {}
  func lose(_ packet: MediaPacket, needsKeyframe: Bool) { calls.append("lose") }
  func publish(bytes: Int) {}
  func report(_ event: Recorder.Event) {}
  func wait(
    for inbox: Inbox<RecordingMachine.Event>, until deadline: MonotonicTime?, takesMedia: Bool
  ) -> RecordingMachine.Event? { nil }
}

@Suite struct RecorderDriverTests {
  @Test func `the driver begins each operation once, and retries a refused write when its timer fires`() {
    let environment = NotingEnvironment()
    let machine = RecordingMachine(.new("a.mp4"), tracks: [.video], settings: RecorderSettings())
    var driver = RecorderDriver(machine, environment)
    var now = Instant(monotonic: .init(nanoseconds: 0), sinceBoot: .zero, wall: .init(nanoseconds: 0))
    let room = RecordingMachine.Event.measured(free: 1 << 40, hasFile: true)
    let error = RecordingError(path: "a.mp4", SystemError(operation: "write", code: 5))
    let untilRefusal: [RecordingMachine.Event] = [
      .track(SampleRecording.video), .packet(SampleRecording.picture(0), standstill: .zero), room,
      .opened(path: "a.mp4"), .written(bytes: 100),
      .packet(SampleRecording.picture(1), standstill: .zero), .operationFailed(error),
    ]
    for event in untilRefusal { driver.handle(event, at: now) }
    #expect(environment.calls == ["measure", "open", "write", "write"])
    now.monotonic = now.monotonic + .milliseconds(250)
    driver.fireTimers(at: now)
    for event in [room, .written(bytes: 200), .drained, .closed(bytes: 220)] { driver.handle(event, at: now) }
    #expect(environment.calls.dropFirst(4) == ["measure", "write", "close a.mp4"])
    let (isFinished, deadline) = (driver.isFinished, driver.nextDeadline)
    #expect(isFinished && deadline == nil)
  }
}
