import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@testable import HoldfastPublishing

@Suite struct OutputConnectionTests {
  /// A sink that says what a test says.
  private final class TellingSink: ServerSink {
    var health: SinkHealth
    var backlog = 0

    init(_ health: SinkHealth) { self.health = health }

    func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError) {}
    func send(_ packet: MediaPacket) throws(SinkError) { health.bytesSent += Int64(packet.bytes.count) }
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

  @Test func `undelivered is what waits in the queue, in the connection and in the network`() throws {
    let queue = SendQueue(hasVideo: true, wakeup: try Wakeup())
    _ = queue.begin(isFresh: false, maxAge: .zero)
    let packets = [SamplePackets.picture(30), SamplePackets.sound(50), SamplePackets.picture(31)]
    for packet in packets { queue.offer(packet) }
    let sink = TellingSink(SinkHealth(lastProgress: MonotonicTime(nanoseconds: 0)))
    let connection = OutputConnection(sink)
    func undelivered(unsent: Int = 0, backlog: Int = 0) -> [TrackKind: MediaTime] {
      (sink.health.unsentBytes, sink.backlog) = (unsent, backlog)
      return connection.read(queue, at: .now).undelivered
    }
    #expect(undelivered() == [.video: packets[0].decodeTime, .audio: packets[1].decodeTime])
    try connection.send(from: queue)
    #expect(undelivered() == [:])
    #expect(undelivered(unsent: 1000) == [.video: packets[2].decodeTime])
    #expect(
      undelivered(unsent: 1000, backlog: 1) == [
        .video: packets[2].decodeTime, .audio: packets[1].decodeTime,
      ])
    queue.offer(SamplePackets.sound(51))
    #expect(
      undelivered(unsent: 2100) == [.video: packets[0].decodeTime, .audio: packets[1].decodeTime])
    sink.health.confirmedUntil = .now
    #expect(undelivered(unsent: 2100) == [.audio: SamplePackets.sound(51).decodeTime])
  }
}
