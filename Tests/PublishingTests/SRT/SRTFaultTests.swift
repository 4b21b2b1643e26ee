import Foundation
import Glibc
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPublishing

/// What is observed of a listener that goes away or freezes.
@Suite(.realTime) struct SRTFaultTests {
  private let usual: EncodedMedia
  private let media: EncodedMedia

  init() throws {
    usual = try EncodedMedia.usual.get()
    media = usual.looped(40)
  }

  /// A listener that is being sent to, in real time.
  private func connected() throws -> (SRTListener, LiveRun) {
    let listener = try SRTListener()
    let live = LiveRun(try SRTRun(to: listener), media)
    try live.run.open(media.tracks)
    try live.go(until: { live.run.sink.statistics.acknowledgements > 5 })
    return (listener, live)
  }

  @Test(arguments: [SIGSTOP, SIGKILL])
  func `a frozen or killed listener shows no progress until it thaws`(signal: Int32) throws {
    let (listener, live) = try connected()
    listener.signal(signal)
    let happened = MonotonicTime.now
    try live.go(until: { .now - live.run.sink.health.lastProgress > .seconds(1) })
    let health = live.run.sink.health
    #expect(health.isPeerAnswering && health.isWaitingForPeer)
    #expect(health.lastProgress - happened < .seconds(10))
    guard signal == SIGSTOP else { return }
    listener.signal(SIGCONT)
    try live.go(until: { live.run.sink.health.lastProgress > health.lastProgress })
    #expect(live.run.sink.health.lastProgress > health.lastProgress)
  }

  @Test func `data that a frozen listener does not take stays in the backlog`() throws {
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
    #expect(.now - before < .seconds(20))
  }

  @Test(arguments: [(SIGINT, .closed), (SIGKILL, .noProgress)] as [(Int32, OutputFailure)])
  func `a listener that ends is noticed at once, and a dead one is given up as no progress, not as closed`(
    signal: Int32, kind: OutputFailure
  ) throws {
    let (listener, live) = try connected()
    listener.signal(signal)
    let happened = MonotonicTime.now
    let error = #expect(throws: SinkError.self) { try live.go() }
    #expect(error?.kind == kind)
    if kind == .closed { #expect(.now - happened < .seconds(20)) }
  }

  @Test func `successive connections continue one stream, each from a keyframe on`() throws {
    let listener = try SRTListener()
    for round in 1...3 {
      try SRTRun(to: listener).publish(usual)
      #expect(listener.waitUntilLeft(times: round))
    }
    #expect(try listener.recordedPackets() == usual.packetCounts(times: 3))
  }

  @Test func `two connections do not disturb each other, even when one is stuck`() throws {
    let (good, bad) = (try SRTListener(), try SRTListener())
    let (run, other) = (try SRTRun(to: good), try SRTRun(to: bad))
    try run.open(usual.tracks)
    try other.open(usual.tracks)
    bad.signal(SIGSTOP)
    let (live, stuck) = (LiveRun(run, usual), LiveRun(other, usual))
    try live.go(until: {
      try? stuck.step(.zero)
      return false
    })
    run.sink.close(until: .now + .seconds(10))
    #expect(try good.recordedPackets() == usual.packetCounts())
  }

  @Test func `closing ends at its deadline, even with a frozen listener`() throws {
    let (listener, live) = try connected()
    listener.signal(SIGSTOP)
    try live.go(until: { .now - live.run.sink.health.lastProgress > .milliseconds(300) })
    let before = MonotonicTime.now
    live.run.sink.close(until: .now + .milliseconds(300))
    #expect(.now - before < .seconds(20))
  }

  @Test func `lost packets are sent again and reported`() throws {
    let listener = try SRTListener()
    let relay = try DatagramRelay(to: listener.port)
    let live = LiveRun(try SRTRun("srt://127.0.0.1:\(relay.port)?latency=1000"), usual)
    try live.run.open(usual.tracks)
    relay.lose(0.1)
    var worst = 0.0
    try live.go(until: {
      worst = max(worst, live.run.sink.health.lossRate ?? 0)
      return false
    })
    live.run.sink.close(until: .now + .seconds(10))
    #expect(worst > 0.02)
    #expect(live.run.sink.statistics.packetsRetransmitted > 0)
    #expect(try listener.recordedPackets() == usual.packetCounts())
  }

  @Test func `a network outage of a second loses nothing if it fits the latency`() throws {
    let listener = try SRTListener()
    let relay = try DatagramRelay(to: listener.port)
    let live = LiveRun(try SRTRun("srt://127.0.0.1:\(relay.port)?latency=4000"), usual)
    try live.run.open(usual.tracks)
    try live.go(until: { live.run.sink.statistics.acknowledgements > 5 })
    relay.lose(1)
    try live.go(until: { .now - live.run.sink.health.lastProgress > .seconds(1) })
    #expect(live.run.sink.health.isWaitingForPeer)
    relay.lose(0)
    try live.go()
    live.run.sink.close(until: .now + .seconds(10))
    #expect(try listener.recordedPackets() == usual.packetCounts())
  }

  @Test func `round trip, losses and latency of the connection are reported`() throws {
    let (listener, live) = try connected()
    try live.go(until: { live.run.sink.health.lossRate != nil })
    let health = live.run.sink.health
    #expect(try #require(health.roundTrip) > .zero && health.bytesSent > 10_000)
    #expect((health.lossRate, live.run.sink.statistics.latency) == (0, .milliseconds(120)))
    withExtendedLifetime(listener) {}
  }
}
