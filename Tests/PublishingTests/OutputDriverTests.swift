import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastPublishing

/// A server that notes what it is asked for; a test answers in its place.
private final class FakeServer: OutputEnvironment {
  enum Verb: Hashable {
    case connect(Int, PublishType)
    case resume(Int)
    case begin
    case send
    case close(Int, keepsSession: Bool)
    case drop(Int)
    case requestKeyframe
  }

  private(set) var addresses: [OutputAddress] = []
  private var verbs: [Verb] = []
  private var reports: [Output.Event] = []

  func takeVerbs() -> [Verb] {
    defer { verbs = [] }
    return verbs
  }

  func takeReports() -> [Output.Event] {
    defer { reports = [] }
    return reports
  }

  func connect(_ number: Int, to address: OutputAddress, _ request: PublishRequest) {
    addresses.append(address)
    verbs.append(.connect(number, request.type))
  }
  func resume(_ number: Int) { verbs.append(.resume(number)) }
  func begin(isFresh: Bool) { verbs.append(.begin) }
  func send(_ event: CustomEvent) { verbs.append(.send) }
  func close(_ number: Int, keepsSession: Bool, within limit: MediaTime) {
    verbs.append(.close(number, keepsSession: keepsSession))
  }
  func drop(_ number: Int, keepsQueue: Bool) { verbs.append(.drop(number)) }
  func requestKeyframe() { verbs.append(.requestKeyframe) }
  func report(_ event: Output.Event) { reports.append(event) }
  func publish(_ figures: OutputFigures) {}
  func wait(for inbox: Inbox<OutputMessage>, until deadline: MonotonicTime?) -> OutputMessage? { nil }
}

/// Drives an output by hand, in a time that stands still between two steps.
private struct Bench {
  let server = FakeServer()
  var driver: OutputDriver<FakeServer>
  var now = Instant(monotonic: .init(nanoseconds: 0), sinceBoot: .zero, wall: .init(nanoseconds: 0))

  init(_ change: (inout Output.Settings) -> Void = { _ in }) throws {
    var settings = Output.Settings(id: "test", address: try OutputAddress("rtmp://host/app/key"))
    change(&settings)
    driver = OutputDriver(settings, tracks: [.video], server)
  }

  mutating func hear(_ messages: OutputMessage...) {
    for message in messages { driver.handle(message, at: now) }
  }

  mutating func pass(_ time: MediaTime) {
    now.monotonic = now.monotonic + time
    driver.fireTimers(at: now)
  }

  /// On its first connection, with media on its way.
  static func publishing() throws -> Bench {
    var bench = try Bench()
    bench.hear(.track(SamplePackets.video), .connected(1), .mediaSent(1, lost: OutputLoss()))
    _ = (bench.server.takeVerbs(), bench.server.takeReports())
    return bench
  }

  mutating func lose(_ time: MediaTime) {
    let health = SinkHealth(lastProgress: now.monotonic)
    hear(.exchanged(1, OutputReading(.nothingNew, health: health, lost: .video(time))))
  }
}

extension OutputLoss {
  fileprivate static func video(_ length: MediaTime) -> OutputLoss {
    var loss = OutputLoss()
    loss.add(.video, at: .zero, length)
    return loss
  }
}

extension OutputMessage {
  fileprivate static func gone(_ number: Int, _ lost: OutputLoss = OutputLoss()) -> OutputMessage {
    .disconnected(number, lost: lost, lag: .zero)
  }
}

@Suite struct OutputDriverTests {
  private let closed = Output.Event.changed(.init(.closed), why: nil)
  private let connecting = Output.Event.changed(.init(.connecting), why: nil)
  private let publishing = Output.Event.changed(.init(.publishing), why: nil)

  @Test func `connects when all tracks are known`() throws {
    var bench = try Bench()
    bench.hear(.networkChanged)
    #expect(bench.server.takeVerbs().isEmpty)
    bench.hear(.track(SamplePackets.video))
    #expect(bench.server.takeVerbs() == [.connect(1, .record)])
  }

  @Test func `a stop while tracks are awaited ends it`() throws {
    var bench = try Bench()
    bench.hear(.stop, .gone(1), .gone(2))
    #expect(bench.driver.isFinished)
    #expect(bench.server.takeReports() == [connecting, closed, .decided(isAccepted: false)])
  }

  @Test
  func `is decided when the server accepts, publishes with the first media, and names what came before`()
    throws
  {
    var bench = try Bench()
    bench.hear(.track(SamplePackets.video), .connected(1))
    #expect(bench.server.takeReports() == [connecting, .decided(isAccepted: true)])
    bench.hear(.mediaSent(1, lost: .video(.seconds(1))))
    #expect(bench.server.takeReports() == [.lost(.video(.seconds(1))), publishing])
  }

  @Test(arguments: [OutputMessage.pause, .stop])
  func `an attempt ends at once, and is closed when nothing of it is open`(message: OutputMessage) throws {
    var bench = try Bench()
    bench.hear(.track(SamplePackets.video), message)
    #expect(bench.server.takeVerbs() == [.connect(1, .record), .drop(1)])
    #expect(bench.server.takeReports() == [connecting])
    bench.hear(.gone(1))
    #expect(bench.server.takeReports() == [closed, .decided(isAccepted: false)])
  }

  @Test func `a return after a pause that ended an attempt makes another`() throws {
    var bench = try Bench()
    bench.hear(.track(SamplePackets.video), .pause, .gone(1), .resume)
    #expect(bench.server.takeVerbs() == [.connect(1, .record), .drop(1), .connect(2, .record)])
  }

  @Test func `a refusal is not tried again`() throws {
    var bench = try Bench()
    bench.hear(.track(SamplePackets.video), .failed(1, SinkError(.refused, "wrong key")), .gone(1))
    bench.hear(.networkChanged)
    bench.pass(.seconds(3600))
    #expect(bench.server.takeVerbs() == [.connect(1, .record), .drop(1)])
  }

  @Test func `a stop ends an output that waits for its next attempt`() throws {
    var bench = try Bench()
    bench.hear(
      .track(SamplePackets.video), .failed(1, SinkError(.unreachable, "nobody there")), .gone(1), .stop,
      .gone(2))
    #expect(bench.driver.isFinished)
    #expect(bench.server.takeReports().last == closed)
  }

  @Test func `a stall that ends is no loss`() throws {
    var bench = try Bench.publishing()
    for progress in [OutputReading.Progress.wentQuiet, .spokeAgain] {
      bench.hear(
        .exchanged(1, OutputReading(progress, health: SinkHealth(lastProgress: bench.now.monotonic))))
    }
    let states = bench.server.takeReports().compactMap {
      if case .changed(let condition, _) = $0 { condition.state } else { nil }
    }
    #expect(states == [.stalled, .publishing])
    #expect(bench.server.takeVerbs().isEmpty)
  }

  @Test func `connects anew when the old connection has gone, and not before`() throws {
    var bench = try Bench.publishing()
    bench.hear(.pause, .resume)
    #expect(bench.server.takeVerbs() == [.close(1, keepsSession: true)])
    bench.hear(.gone(1))
    #expect(bench.server.takeVerbs() == [.connect(2, .append)])
    #expect(bench.server.takeReports() == [closed, connecting])
  }

  @Test func `a return and a pause while it leaves cancel each other`() throws {
    var bench = try Bench.publishing()
    bench.hear(.pause, .resume, .pause, .gone(1))
    #expect(bench.server.takeVerbs() == [.close(1, keepsSession: true)])
    #expect(bench.server.takeReports() == [closed])
  }

  @Test func `goes on in a session that the server has kept`() throws {
    var bench = try Bench.publishing()
    bench.hear(.pause, .suspended(1, lost: OutputLoss(), lag: .zero), .resume, .connected(1))
    #expect(bench.server.takeVerbs() == [.close(1, keepsSession: true), .resume(1), .begin])
    #expect(bench.server.takeReports() == [closed, connecting, .decided(isAccepted: true)])
  }

  @Test(
    arguments: [
      [.resume, .failed(1, SinkError(.timedOut, "no answer")), .gone(1)],
      [.resume, .gone(1)],
      [.gone(1), .resume],
    ] as [[OutputMessage]])
  func `makes another connection where the session is gone`(messages: [OutputMessage]) throws {
    var bench = try Bench.publishing()
    bench.hear(.pause, .suspended(1, lost: OutputLoss(), lag: .zero))
    for message in messages { bench.hear(message) }
    #expect(bench.server.takeVerbs().last == .connect(2, .append))
  }

  @Test func `leaves a session that the server has kept with a good-bye`() throws {
    var bench = try Bench.publishing()
    bench.hear(.pause, .suspended(1, lost: OutputLoss(), lag: .zero), .stop, .gone(1))
    #expect(
      bench.server.takeVerbs() == [.close(1, keepsSession: true), .close(1, keepsSession: false), .drop(2)])
    bench.hear(.gone(2))
    #expect(bench.driver.isFinished)
  }

  @Test func `names losses once a second`() throws {
    var bench = try Bench.publishing()
    bench.lose(.milliseconds(10))
    bench.pass(.milliseconds(500))
    bench.lose(.milliseconds(20))
    #expect(bench.server.takeReports().isEmpty)
    bench.pass(.milliseconds(500))
    var both = OutputLoss.video(.milliseconds(10))
    both.add(.video(.milliseconds(20)))
    #expect(bench.server.takeReports() == [.lost(both)])
  }

  @Test func `names the losses of an outage when it is over`() throws {
    var bench = try Bench.publishing()
    bench.hear(
      .failed(1, SinkError(.closed, "gone")), .gone(1, .video(.seconds(2))))
    bench.pass(.seconds(10))
    #expect(!bench.server.takeReports().contains(.lost(.video(.seconds(2)))))
    bench.hear(.connected(2), .mediaSent(2, lost: OutputLoss()))
    #expect(bench.server.takeReports().suffix(2) == [.lost(.video(.seconds(2))), publishing])
  }

  @Test func `names at its end what is still lost, and leaves no timer`() throws {
    var bench = try Bench.publishing()
    bench.lose(.milliseconds(10))
    bench.hear(
      .stop, .gone(1), .gone(2, .video(.seconds(1))))
    #expect(bench.driver.isFinished && bench.driver.nextDeadline == nil)
    var both = OutputLoss.video(.milliseconds(10))
    both.add(.video(.seconds(1)))
    #expect(bench.server.takeReports() == [closed, .lost(both)])
  }

  @Test func `a change of the network during an attempt counts for the next one`() throws {
    var bench = try Bench()
    bench.hear(.track(SamplePackets.video))
    for number in 1...3 {
      bench.hear(.networkChanged, .failed(number, SinkError(.unreachable, "nobody there")))
      bench.hear(.gone(number))
    }
    #expect(bench.server.takeVerbs().last == .connect(4, .record))
    #expect(bench.driver.nextDeadline == nil)
  }

  @Test func `follows a server that sends it elsewhere, and comes back to its own address`() throws {
    var bench = try Bench()
    let moved = SinkError(.moved, "elsewhere", location: "rtmp://other/app/key")
    bench.hear(.track(SamplePackets.video), .failed(1, moved), .gone(1))
    bench.pass(.zero)
    bench.hear(
      .failed(2, SinkError(.unreachable, "nobody there")), .gone(2), .networkChanged)
    let own = try OutputAddress("rtmp://host/app/key")
    #expect(bench.server.addresses == [own, try OutputAddress("rtmp://other/app/key"), own])
  }

  @Test(
    arguments: [
      .connected(1), .failed(1, SinkError(.closed, "late")), .gone(1),
      .suspended(1, lost: OutputLoss(), lag: .zero), .mediaSent(1, lost: OutputLoss()),
    ] as [OutputMessage])
  func `an answer that is no longer awaited does nothing`(late: OutputMessage) throws {
    var bench = try Bench.publishing()
    bench.hear(.pause, .gone(1), .resume)
    _ = (bench.server.takeVerbs(), bench.server.takeReports())
    bench.hear(late)
    #expect(bench.server.takeVerbs().isEmpty && bench.server.takeReports().isEmpty)
  }

  @Test func `sends events while it is connected, and at no other time`() throws {
    var bench = try Bench()
    let event = CustomEvent(name: "score", text: "1:0")
    bench.hear(.send(event), .track(SamplePackets.video), .send(event), .connected(1), .send(event))
    #expect(bench.server.takeVerbs() == [.connect(1, .record), .begin, .send])
  }

  @Test func `with catchUp a lost connection asks for a keyframe to go on with`() throws {
    var bench = try Bench { $0.outage = .catchUp }
    bench.hear(.track(SamplePackets.video), .connected(1), .failed(1, SinkError(.closed, "gone")))
    #expect(bench.server.takeVerbs().suffix(2) == [.requestKeyframe, .drop(1)])
  }
}
