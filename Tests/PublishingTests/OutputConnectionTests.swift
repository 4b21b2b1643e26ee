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
    func close(until deadline: MonotonicTime) -> Bool { true }
  }

  @Test func `sound that was too early to be sent is lost, what the server has not confirmed is not settled`()
    throws
  {
    let queue = try SendQueue.begun()
    queue.offer(SamplePackets.picture(30), SamplePackets.sound(30))
    let connection = OutputConnection(TellingSink(SinkHealth(lastProgress: .now)))
    try connection.send(from: queue)
    let (lost, unconfirmed) = (connection.takeTooEarly(), connection.unconfirmed)
    #expect((lost.pictures, lost.audio) == (0, SamplePackets.sound(30).duration))
    #expect((unconfirmed.pictures, unconfirmed.audio) == (1, .zero))
  }

  @Test(arguments: [false, true])
  func `undelivered is what waits in the queue, and what a server that confirms pictures has not confirmed`(
    confirmsPictures: Bool
  ) throws {
    let queue = try SendQueue.begun()
    let packets = [SamplePackets.picture(30), SamplePackets.sound(50), SamplePackets.picture(31)]
    for packet in packets { queue.offer(packet) }
    let sink = TellingSink(SinkHealth(lastProgress: .at(0)))
    (sink.health.confirmsPictures, sink.health.isPeerAnswering) = (confirmsPictures, true)
    let connection = OutputConnection(sink)
    var undelivered: [TrackKind: MediaTime] { connection.read(queue, at: .now).undelivered }
    let both = [TrackKind.video: packets[0].decodeTime, .audio: packets[1].decodeTime]
    #expect(undelivered == both)
    try connection.send(from: queue)
    #expect(undelivered == (confirmsPictures ? both : [:]))
    sink.health.confirmedUntil = .now
    queue.offer(SamplePackets.sound(51))
    #expect(undelivered == [.audio: SamplePackets.sound(51).decodeTime])
  }
}
