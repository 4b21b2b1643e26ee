import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastPublishing

/// When an output considers a connection dead.
@Suite struct OutputConnectionTests {
  private let start = MonotonicTime.now

  /// A sink that says what a test says.
  private final class TellingSink: ServerSink {
    var health: SinkHealth
    var backlog: Int { 0 }

    init(_ health: SinkHealth) { self.health = health }

    func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError) {}
    func send(_ packet: MediaPacket) throws(SinkError) {}
    func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError) {}
    func send(_ event: CustomEvent) throws(SinkError) {}
    func close(until deadline: MonotonicTime) {}
  }

  private func progress(
    _ connection: OutputConnection, after seconds: Int64
  ) throws(SinkError) -> OutputReading.Progress {
    try connection.checkProgress(at: start + .seconds(seconds), stallTimeout: .seconds(3))
  }

  private func expectEnd(_ connection: OutputConnection, after seconds: Int64) {
    #expect { try progress(connection, after: seconds) } throws: { ($0 as? SinkError)?.kind == .noProgress }
  }

  @Test func `silence counts as a stall only once an answer is due`() throws {
    let sink = TellingSink(SinkHealth(lastProgress: start))
    let connection = OutputConnection(sink)
    try connection.open(PublishRequest(type: .live, tracks: []), until: start, stop: Wakeup())
    #expect(try progress(connection, after: 10) == .nothingNew)
    sink.health.isWaitingForPeer = true
    #expect(try progress(connection, after: 11) == .nothingNew)
    #expect(try progress(connection, after: 13) == .stalled)
    expectEnd(connection, after: 15)
  }

  @Test func `an answer ends a stall`() throws {
    let sink = TellingSink(SinkHealth(lastProgress: start, confirmedUntil: start, isWaitingForPeer: true))
    let connection = OutputConnection(sink)
    try connection.open(PublishRequest(type: .live, tracks: []), until: start, stop: Wakeup())
    #expect(try progress(connection, after: 1) == .nothingNew)
    #expect(try progress(connection, after: 3) == .stalled)
    sink.health.lastProgress = start + .seconds(4)
    #expect(try progress(connection, after: 4) == .recovered)
    #expect(try progress(connection, after: 5) == .nothingNew)
    #expect(try progress(connection, after: 7) == .stalled)
    expectEnd(connection, after: 9)
  }

  @Test func `sound that was too early to be sent is lost with what the server has not confirmed`() throws {
    let queue = SendQueue(hasVideo: true, wakeup: try Wakeup())
    _ = queue.begin(isFresh: false, maxAge: .zero)
    queue.offer(SamplePackets.picture(30))
    queue.offer(SamplePackets.sound(30))
    let connection = OutputConnection(TellingSink(SinkHealth(lastProgress: start)))
    try connection.send(from: queue)
    let lost = connection.takeUnconfirmed()
    #expect(lost.pictures == 1 && lost.audio == SamplePackets.sound(30).duration)
  }
}
