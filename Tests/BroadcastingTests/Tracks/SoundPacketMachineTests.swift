import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastBroadcasting

@Suite struct SoundPacketMachineTests {
  private static let length = MediaTime(ticks: 1024, timescale: 48_000)

  /// A packet captured `seconds` after the period began, with the part of it that is in the period.
  private func handle(
    _ machine: inout SoundPacketMachine, at seconds: Double, from: Double = 0, until: Double = 1000,
    dropped: Int = 0
  ) -> [SoundPacketMachine.Action] {
    func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }
    let packet = MediaPacket(
      track: .audio, decodeTime: MediaTime(nanoseconds: time(seconds).nanoseconds), presentationTime: .zero,
      duration: Self.length, isKeyframe: true, bytes: [1])
    let (begin, end) = (max(seconds, from), min(seconds + Self.length.seconds, until))
    let part = Timeline.Part(
      captured: time(begin)..<time(end), media: MediaTime(seconds: begin - from), isAfterPause: begin == from)
    return machine.handle(
      Queued(
        item: CapturedPacket(packet: packet, track: SampleTracks.audio, lostBefore: 0, isAfterOutage: false),
        source: ItemSource(), droppedBefore: dropped), begin < end ? [part] : [],
      stoppedAt: MediaTime(seconds: until - from))
  }

  private func times(_ actions: [SoundPacketMachine.Action]) -> [Double] {
    actions.compactMap { if case .send(let packet) = $0 { packet.decodeTime.seconds } else { nil } }
  }

  private func losses(_ actions: [SoundPacketMachine.Action]) -> [TrackLoss] {
    actions.compactMap { if case .reportLoss(let loss) = $0 { loss } else { nil } }
  }

  @Test(arguments: [0.0003, -0.0003])
  func `the source's drift goes into the times, without a hole`(drift: Double) {
    var machine = SoundPacketMachine(end: nil)
    var actions: [SoundPacketMachine.Action] = []
    for count in 0..<20_000 {
      actions += handle(&machine, at: Double(count) * Self.length.seconds * (1 + drift))
    }
    let sent = times(actions)
    #expect(sent.count == 20_000 && losses(actions + machine.finish(at: nil)).isEmpty)
    #expect(abs((sent.last ?? 0) - 19_999 * Self.length.seconds * (1 + drift)) < 0.02)
    let steps = zip(sent, sent.dropFirst()).map { $1 - $0 - Self.length.seconds }
    #expect(steps.allSatisfy { abs($0) < 0.002 })
  }

  @Test func `stamps in milliseconds leave no holes`() {
    var machine = SoundPacketMachine(end: nil)
    let sent = (0..<500).flatMap { count in
      times(handle(&machine, at: (Double(count) * Self.length.seconds * 1000).rounded() / 1000))
    }
    let steps = zip(sent, sent.dropFirst()).map { $1 - $0 - Self.length.seconds }
    #expect(sent.count == 500 && steps.allSatisfy { abs($0) < 0.001 })
  }

  @Test func `what a lost source did not send is told, and nothing is made up`() {
    var machine = SoundPacketMachine(end: nil)
    var actions = (0..<100).flatMap { handle(&machine, at: Double($0) * Self.length.seconds) }
    actions += (300..<400).flatMap { handle(&machine, at: Double($0) * Self.length.seconds) }
    actions += machine.finish(at: nil)
    let lost = losses(actions)
    #expect(lost.count == 1 && lost[0].cause == .source && lost[0].isFilled == false)
    #expect(abs(lost[0].duration.seconds - 200 * Self.length.seconds) < 0.001)
    #expect(times(actions).count == 200)
  }

  @Test func `packets that come twice, or for a time that has passed, are left out`() {
    var machine = SoundPacketMachine(end: nil)
    var sent = (0..<100).flatMap { times(handle(&machine, at: Double($0) * Self.length.seconds)) }
    sent += (0..<50).flatMap { times(handle(&machine, at: Double($0) * Self.length.seconds)) }
    #expect(sent.count == 100)
  }

  @Test func `a packet belongs to a period if more than half of it does`() {
    for (from, isIn) in [(0.008, true), (0.015, false)] {
      var machine = SoundPacketMachine(end: nil)
      let actions = handle(&machine, at: 0.0, from: from)
      #expect(times(actions) == (isIn ? [0] : []))
    }
    var machine = SoundPacketMachine(end: nil)
    _ = handle(&machine, at: 1, from: 0)
    #expect(handle(&machine, at: 5, until: 5.001).contains(.reportStopped))
  }

  @Test func `the end of the duration ends the track, also while its source is lost`() {
    var machine = SoundPacketMachine(end: .seconds(2))
    _ = (0..<40).map { handle(&machine, at: Double($0) * Self.length.seconds) }
    let lost = losses(machine.finish(at: .seconds(2)))
    #expect(lost.count == 1 && abs(lost[0].duration.seconds - (2 - 40 * Self.length.seconds)) < 0.001)
    var other = SoundPacketMachine(end: .seconds(2))
    for count in 0..<200 { _ = handle(&other, at: Double(count) * Self.length.seconds) }
    #expect(other.hasReachedEnd)
  }
}
