import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastPublishing

@Suite struct OutputConnectionTests {
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

  @Test func `sound that was too early to be sent is lost, what the server has not confirmed is not settled`()
    throws
  {
    let queue = SendQueue(hasVideo: true, wakeup: try Wakeup())
    _ = queue.begin(isFresh: false, maxAge: .zero)
    queue.offer(SamplePackets.picture(30))
    queue.offer(SamplePackets.sound(30))
    let connection = OutputConnection(TellingSink(SinkHealth(lastProgress: .now)))
    try connection.send(from: queue)
    let (lost, unconfirmed) = (connection.takeTooEarly(), connection.unconfirmed)
    #expect(lost.pictures == 0 && lost.audio == SamplePackets.sound(30).duration)
    #expect(unconfirmed.pictures == 1 && unconfirmed.audio == .zero)
  }
}
