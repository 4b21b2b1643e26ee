import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

/// What becomes of pictures on their way to the encoder: 40 ms each, on a timeline that begins with the first.
@Suite struct PictureMachineTests {
  private let rate = FrameRate(numerator: 25, denominator: 1) ?? .thirty
  private let start = MonotonicTime(nanoseconds: 1_000_000_000)

  private func machine(encoded: FrameRate? = nil, end: MediaTime? = nil) -> PictureMachine {
    PictureMachine(source: rate, encoded: encoded ?? rate, end: end)
  }

  private func media(_ number: Double) -> MediaTime { .milliseconds(Int64(number * 40)) }

  /// Picture `number`, and its place.
  private func arrival(
    _ number: Double, source: Int = 1, isStandIn: Bool = false, lost: Int = 0, dropped: Int = 0
  ) -> PictureMachine.Arrival {
    PictureMachine.Arrival(
      captureTime: start + media(number), source: ItemSource(isStandIn: isStandIn, number: source),
      lostBefore: lost, droppedBefore: dropped)
  }

  /// What is done with `picture`; nil where it is not admitted.
  private func give(
    _ picture: PictureMachine.Arrival, to machine: inout PictureMachine, sourceRate: FrameRate? = nil
  ) -> [PictureMachine.Action]? {
    guard machine.admits(picture) else { return nil }
    return machine.handle(
      picture, at: picture.captureTime - start, stoppedAt: .zero, sourceRate: sourceRate ?? rate)
  }

  /// A machine that has encoded the pictures from 0 to `last`.
  private func running(until last: Int = 0, end: MediaTime? = nil) -> PictureMachine {
    var machine = machine(end: end)
    for number in 0...last { _ = give(arrival(Double(number)), to: &machine) }
    return machine
  }

  private func loss(_ cause: Gap.Cause, at number: Double, pictures: Int) -> PictureMachine.Action {
    .reportLoss(
      TrackLoss(
        track: .video, cause: cause, mediaAt: media(number), duration: media(Double(pictures)),
        pictures: pictures, isFilled: cause == .device))
  }

  @Test func `the first picture begins the track, and earlier losses don't count`() {
    var machine = machine()
    #expect(give(arrival(0, lost: 3, dropped: 2), to: &machine) == [.reportStarted, .encode(at: .zero)])
    #expect(give(arrival(1), to: &machine) == [.encode(at: media(1))])
  }

  @Test func `pictures lost right before an interruption are reported, those lost behind it are not`() {
    var machine = running(until: 1)
    let told = machine.handle(arrival(9, lost: 7), at: nil, stoppedAt: media(5), sourceRate: rate)
    #expect(told == [loss(.source, at: 2, pictures: 3), .reportStopped])
    var complete = running(until: 1)
    #expect(
      complete.handle(arrival(9, lost: 7), at: nil, stoppedAt: media(2), sourceRate: rate)
        == [.reportStopped])
  }

  @Test func `losses by the device and the queue are reported when nothing was lost for a second`() {
    var machine = running()
    #expect(give(arrival(4, lost: 1, dropped: 2), to: &machine) == [.encode(at: media(4))])
    #expect(give(arrival(29), to: &machine) == [.encode(at: media(29))])
    #expect(
      give(arrival(30), to: &machine) == [
        loss(.encoderTooSlow, at: 2, pictures: 2), loss(.source, at: 3, pictures: 1), .encode(at: media(30)),
      ])
  }

  @Test func `losses less than a second apart are one gap with their sum`() throws {
    var machine = running()
    var told: [PictureMachine.Action] = []
    for number in stride(from: 2.0, through: 100, by: 2) {
      told += try #require(give(arrival(number, dropped: 1), to: &machine)).dropLast()
    }
    #expect(told.isEmpty)
    for number in 101...126 { told += try #require(give(arrival(Double(number)), to: &machine)).dropLast() }
    guard case .reportLoss(let loss) = told.first else { throw Missing() }
    #expect(told.count == 1)
    #expect(loss.cause == .encoderTooSlow && loss.pictures == 50 && loss.duration == media(50))
    #expect(loss.mediaAt == media(1) && loss.extent == media(99))
  }

  @Test func `a stretch of losses lasts until nothing is lost for a second`() throws {
    var machine = running()
    var lost: [TrackLoss] = []
    for number in stride(from: 2.0, through: 2000, by: 2) {
      for case .reportLoss(let loss) in give(arrival(number, dropped: 1), to: &machine) ?? [] {
        lost.append(loss)
      }
    }
    #expect(lost.isEmpty && machine.stretches.lasting.map(\.pictures) == [1000])
    for case .reportLoss(let loss) in machine.finish(dropped: 0) { lost.append(loss) }
    #expect(lost.map(\.pictures) == [1000])
  }

  private struct Missing: Error {}

  @Test(arguments: [0, 0.0001, -1])
  func `a picture whose time does not advance counts as lost`(step: Double) {
    var machine = running(until: 1)
    #expect(give(arrival(1 + step), to: &machine) == [])
    #expect(give(arrival(3), to: &machine) == [.encode(at: media(3))])
    #expect(machine.finish(dropped: 0) == [loss(.source, at: 2, pictures: 1)])
  }

  @Test func `pictures above the requested rate are left out without counting as lost`() {
    var machine = machine(encoded: FrameRate(numerator: 25, denominator: 2) ?? .thirty)
    let encoded = (0..<4).map { give(arrival(Double($0)), to: &machine)?.last }
    #expect(encoded == [.encode(at: .zero), nil, .encode(at: media(2)), nil])
  }

  @Test func `the track ends before the picture at its end time, and later drops don't count`() {
    var machine = running(end: media(2))
    #expect(give(arrival(1), to: &machine) == [.encode(at: media(1))] && !machine.hasReachedEnd)
    #expect(give(arrival(2), to: &machine) == [] && machine.hasReachedEnd)
    #expect(machine.finish(dropped: 4) == [])
  }

  @Test func `what is lost right before the end of the track is not placed before its last picture`() {
    var machine = running(until: 1, end: media(10))
    #expect(give(arrival(12, dropped: 10), to: &machine) == [] && machine.hasReachedEnd)
    #expect(machine.finish(dropped: 3) == [loss(.encoderTooSlow, at: 2, pictures: 8)])
    var outage = running(until: 1, end: media(10))
    _ = give(arrival(2, isStandIn: true), to: &outage)
    #expect(
      give(arrival(12, isStandIn: true, dropped: 3), to: &outage) == [loss(.device, at: 2, pictures: 8)])
    #expect(outage.finish(dropped: 0) == [])
    var silent = running(until: 1, end: media(10))
    #expect(give(arrival(12, isStandIn: true), to: &silent) == [loss(.device, at: 2, pictures: 8)])
  }

  @Test func `the queue's last drops are reported at the end, unless nothing was encoded`() {
    var machine = running(until: 4)
    #expect(machine.finish(dropped: 2) == [loss(.encoderTooSlow, at: 2, pictures: 2)])
    var empty = self.machine()
    #expect(empty.finish(dropped: 2) == [])
  }

  @Test func `a standstill is reported once, and losses during it don't count`() {
    var machine = running(until: 1)
    for actions in [[PictureMachine.Action.reportStopped], []] {
      let picture = arrival(2, lost: 1, dropped: 1)
      let isAdmitted = machine.admits(picture)
      let told = machine.handle(picture, at: nil, stoppedAt: media(2), sourceRate: rate)
      #expect(isAdmitted && told == actions)
    }
    #expect(give(arrival(2), to: &machine) == [.reportStarted, .encode(at: media(2))])
  }

  @Test func `pictures replaced by a stand-in are lost from the device's last one to its next`() {
    var machine = running(until: 1)
    #expect(give(arrival(5, isStandIn: true), to: &machine) == [.encode(at: media(5))])
    #expect(give(arrival(6, isStandIn: true), to: &machine) == [.encode(at: media(6))])
    // A stand-in that repeats its time is not missed.
    #expect(give(arrival(6, isStandIn: true), to: &machine) == [])
    #expect(give(arrival(7), to: &machine) == [loss(.device, at: 2, pictures: 5), .encode(at: media(7))])
  }

  @Test func `stand-in and returning pictures closer than half a frame are left out`() {
    var machine = running(until: 1)
    for close in [1, 1.4] { #expect(give(arrival(close, isStandIn: true), to: &machine) == []) }
    #expect(give(arrival(2, isStandIn: true), to: &machine) == [.encode(at: media(2))])
    #expect(give(arrival(2.4), to: &machine) == [])
    #expect(give(arrival(3), to: &machine) == [loss(.device, at: 2, pictures: 1), .encode(at: media(3))])
  }

  @Test func `an outage is reported at the end of the track and at a standstill`() {
    var machine = running(until: 1)
    _ = give(arrival(2, isStandIn: true), to: &machine)
    var ended = machine
    #expect(ended.finish(dropped: 0) == [loss(.device, at: 2, pictures: 1)])
    let told = machine.handle(arrival(3, isStandIn: true), at: nil, stoppedAt: media(3), sourceRate: rate)
    #expect(told == [loss(.device, at: 2, pictures: 1), .reportStopped])
  }

  @Test func `a camera silent before a standstill counts as lost until the standstill`() {
    var machine = running(until: 1)
    let told = machine.handle(arrival(6, isStandIn: true), at: nil, stoppedAt: media(5), sourceRate: rate)
    #expect(told == [loss(.device, at: 2, pictures: 3), .reportStopped])
  }

  @Test func `pictures from a replaced source are left out`() {
    var machine = running()
    #expect(give(arrival(1, source: 2), to: &machine) == [.encode(at: media(1))])
    #expect(give(arrival(2, source: 1), to: &machine) == nil)
    #expect(give(arrival(3, source: 2), to: &machine) == [.encode(at: media(3))])
  }

  @Test func `a new source may skip one picture, and its earlier losses don't count`() {
    var close = running()
    #expect(give(arrival(0.4, source: 2), to: &close) == [])
    #expect(give(arrival(-1, source: 2), to: &close) == [])
    #expect(give(arrival(2, source: 2, lost: 5), to: &close) == [.encode(at: media(2))])
    var late = running()
    #expect(give(arrival(5, source: 2), to: &late) == [.encode(at: media(5))])
    #expect(late.finish(dropped: 0) == [loss(.source, at: 2, pictures: 3)])
  }

  @Test func `a faster new source is limited to the encoded rate and counts losses at its own`() {
    var machine = running(until: 4)
    let fifty = FrameRate(numerator: 50, denominator: 1) ?? .thirty
    let told = give(arrival(5, source: 2, dropped: 1), to: &machine, sourceRate: fifty)
    #expect(told == [.encode(at: media(5))])
    #expect(give(arrival(5.5, source: 2), to: &machine, sourceRate: fifty) == [])
    let next = give(arrival(7, source: 2, lost: 2), to: &machine, sourceRate: fifty)
    #expect(next == [.encode(at: media(7))])
    #expect(
      machine.finish(dropped: 0) == [
        loss(.encoderTooSlow, at: 3, pictures: 1),
        .reportLoss(
          TrackLoss(
            track: .video, cause: .source, mediaAt: media(6), duration: media(1), pictures: 2,
            isFilled: false)),
      ])
  }
}

@Suite struct RateLimitTests {
  private func passed(source: Int, target: Int, pictures: Int, jitter: [Int64] = [0]) throws -> Int {
    let sourceRate = try #require(FrameRate(numerator: source, denominator: 1))
    let targetRate = try #require(FrameRate(numerator: target, denominator: 1))
    var limit = RateLimit(source: sourceRate, target: targetRate)
    return (0..<pictures).filter { number in
      let time = MonotonicTime(nanoseconds: 0) + sourceRate.time(ofFrame: Int64(number))
      return limit.allows(time + .milliseconds(jitter[number % jitter.count]))
    }.count
  }

  @Test(arguments: [
    (60, 30, 300), (50, 25, 300), (60, 25, 250), (120, 30, 150), (30, 30, 600), (25, 30, 600),
  ])
  func `a rate limit passes the target rate and every picture of a slower source`(
    source: Int, target: Int, expected: Int
  ) throws {
    #expect(abs(try passed(source: source, target: target, pictures: 600) - expected) <= 1)
  }

  @Test func `camera jitter does not change the limited rate`() throws {
    #expect(abs(try passed(source: 60, target: 30, pictures: 600, jitter: [0, 3, -3, 2]) - 300) <= 1)
  }
}
