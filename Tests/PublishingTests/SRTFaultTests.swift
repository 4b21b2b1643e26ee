import Foundation
import Glibc
import Lifecycle
import MediaModel
import Platform
import TestSupport
import Testing

@testable import Publishing

/// What is seen of a listener that goes away, or stands still.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SRTFaultTests {
  private let media: EncodedMedia

  init() throws {
    media = try EncodedMedia.usual.get().looped(40)
  }

  /// A listener that is being sent to, in real time.
  private func connect(to listener: SRTListener) throws -> LiveRun {
    let live = LiveRun(try SRTRun(to: listener), media)
    try live.run.open(media.tracks)
    try live.go(until: { live.run.sink.statistics.acknowledgements > 5 })
    return live
  }

  @Test(arguments: [SIGSTOP, SIGKILL])
  func `one that is frozen or killed shows no progress within 1.2 s`(signal: Int32) throws {
    let listener = try SRTListener()
    let live = try connect(to: listener)
    listener.signal(signal)
    let happened = MonotonicTime.now
    try live.go(until: { .now - live.run.sink.health.lastProgress > .seconds(1) })
    let health = live.run.sink.health
    #expect(health.isPeerAnswering && health.isWaitingForPeer)
    #expect(health.lastProgress - happened < .milliseconds(200))
  }

  @Test func `one that thaws makes progress again`() throws {
    let listener = try SRTListener()
    let live = try connect(to: listener)
    listener.signal(SIGSTOP)
    try live.go(until: { .now - live.run.sink.health.lastProgress > .seconds(1) })
    let before = live.run.sink.health.lastProgress
    listener.signal(SIGCONT)
    try live.go(until: { live.run.sink.health.lastProgress > before })
    #expect(live.run.sink.health.lastProgress > before)
  }

  @Test func `what one that is frozen does not take stays here, where it can be left out`() throws {
    let listener = try SRTListener()
    let run = try SRTRun(to: listener)
    try run.open(media.tracks)
    try run.send(media.packets.prefix(20))
    listener.signal(SIGSTOP)
    let before = MonotonicTime.now
    for packet in media.packets.dropFirst(20) where run.sink.backlog < 64 << 10 {
      try run.sink.send(packet)
      try run.turn()
    }
    #expect(run.sink.backlog >= 64 << 10)
    // The library took about a second's worth, or what a keyframe needs at least.
    #expect(run.sink.statistics.unacknowledgedBytes <= 1 << 20)
    #expect(.now - before < .seconds(4))
  }

  @Test func `one that ends is noticed at once`() throws {
    let listener = try SRTListener()
    let live = try connect(to: listener)
    listener.signal(SIGINT)
    let happened = MonotonicTime.now
    let error = #expect(throws: SinkError.self) { try live.go(until: { false }) }
    #expect(error?.kind == .closed)
    #expect(.now - happened < .seconds(2))
  }

  @Test func `the library gives a dead one up at last, and that is no good-bye`() throws {
    let listener = try SRTListener()
    let live = try connect(to: listener)
    listener.signal(SIGKILL)
    let error = #expect(throws: SinkError.self) { try live.go(until: { false }) }
    #expect(error?.kind == .noProgress)
  }

  @Test func `successive connections continue one stream, each from a keyframe on`() throws {
    let usual = try EncodedMedia.usual.get()
    let listener = try SRTListener()
    for round in 1...3 {
      try SRTRun(to: listener).publish(usual)
      #expect(listener.waitUntilSaid("disconnected", times: round))
    }
    listener.end()
    let streams = try Tool.probe(listener.path, count: true)
    #expect(streams.map { $0["nb_read_packets"] } == ["\(3 * usual.pictures)", "\(3 * usual.sounds)"])
  }

  @Test func `two at once do not disturb each other, also when one stands still`() throws {
    let usual = try EncodedMedia.usual.get()
    let (good, bad) = (try SRTListener(), try SRTListener())
    let (run, other) = (try SRTRun(to: good), try SRTRun(to: bad))
    try run.open(usual.tracks)
    try other.open(usual.tracks)
    bad.signal(SIGSTOP)
    for packet in usual.packets {
      try other.sink.send(packet)
      try other.turn()
      try run.send([packet])
    }
    run.sink.close(until: .now + .seconds(10))
    #expect(good.waitUntilSaid("disconnected"))
    good.end()
    let streams = try Tool.probe(good.path, count: true)
    #expect(streams.map { $0["nb_read_packets"] } == ["\(usual.pictures)", "\(usual.sounds)"])
  }

  @Test func `a good-bye ends at its deadline, whatever the listener does`() throws {
    let listener = try SRTListener()
    let live = try connect(to: listener)
    listener.signal(SIGSTOP)
    try live.go(until: { .now - live.run.sink.health.lastProgress > .milliseconds(300) })
    let before = MonotonicTime.now
    live.run.sink.close(until: .now + .milliseconds(300))
    #expect(.now - before < .seconds(2))
  }

  @Test func `it says how the way is`() throws {
    let listener = try SRTListener()
    let live = try connect(to: listener)
    try live.go(until: { live.run.sink.health.lossRate != nil })
    let health = live.run.sink.health
    #expect(try #require(health.roundTrip) > .zero)
    #expect(health.lossRate == 0)
    #expect(health.bytesSent > 10_000)
    #expect(live.run.sink.statistics.latency == .milliseconds(120))
  }
}

/// Sends a medium in real time, as long as it is asked to.
private final class LiveRun {
  let run: SRTRun
  private let start = MonotonicTime.now
  private var packets: ArraySlice<MediaPacket>

  init(_ run: SRTRun, _ media: EncodedMedia) {
    self.run = run
    packets = media.packets[...]
  }

  /// Ends when `condition` holds, when the medium is over, or with what the sink throws.
  func go(until condition: () -> Bool) throws {
    while !condition(), !packets.isEmpty {
      while let next = packets.first, start + next.decodeTime <= .now, run.sink.backlog < 64 << 10 {
        try run.sink.send(packets.removeFirst())
        _ = next
      }
      try run.turn(.milliseconds(20))
    }
  }
}
