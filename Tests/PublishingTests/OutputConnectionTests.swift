import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastPublishing

/// When an output takes a connection for dead.
@Suite struct OutputConnectionTests {
  private let start = MonotonicTime.now

  /// A sink that says what a test says.
  private final class TellingSink: PacketSink {
    var health: SinkHealth
    var backlog: Int { 0 }

    init(_ health: SinkHealth) { self.health = health }

    func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: StopSignal) throws(SinkError) {}
    func send(_ packet: MediaPacket) throws(SinkError) {}
    func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError) {}
    func send(_ event: CustomEvent) throws(SinkError) {}
    func close(until deadline: MonotonicTime) {}
  }

  private func look(_ connection: OutputConnection, after seconds: Int64) -> String {
    switch connection.look(at: start + .seconds(seconds), stallTimeout: .seconds(3)) {
    case .nothingNew: "nothing new"
    case .progress: "progress"
    case .quiet: "quiet"
    case .talking: "talking"
    case .gone: "gone"
    }
  }

  @Test func `silence before there was something to answer means nothing`() throws {
    let sink = TellingSink(SinkHealth(lastProgress: start))
    let connection = OutputConnection(sink)
    try connection.open(PublishRequest(type: .live, tracks: []), until: start, stop: StopSignal())
    #expect(look(connection, after: 10) == "nothing new")
    sink.health.isWaitingForPeer = true
    #expect(look(connection, after: 11) == "nothing new")
    #expect(look(connection, after: 13) == "quiet")
    #expect(look(connection, after: 15) == "gone")
  }

  @Test func `an answer ends the waiting`() throws {
    let sink = TellingSink(SinkHealth(lastProgress: start, isWaitingForPeer: true))
    let connection = OutputConnection(sink)
    try connection.open(PublishRequest(type: .live, tracks: []), until: start, stop: StopSignal())
    #expect(look(connection, after: 1) == "nothing new")
    #expect(look(connection, after: 3) == "quiet")
    sink.health.lastProgress = start + .seconds(4)
    #expect(look(connection, after: 4) == "talking")
    #expect(look(connection, after: 5) == "nothing new")
    #expect(look(connection, after: 7) == "quiet")
    #expect(look(connection, after: 9) == "gone")
  }
}
