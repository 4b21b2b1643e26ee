import Testing

@testable import Simulation

@Suite struct SpansTests {
  private let spans = Spans([10..<20, 30..<40, 50..<60])

  @Test func `adjacent ranges of time are merged`() {
    #expect(Spans([30..<40, 10..<20, 20..<30]).ranges == [10..<40])
  }

  @Test func `subtracting ranges of time leaves the rest`() {
    #expect(
      spans.subtracting(Spans([0..<12, 15..<16, 35..<55])).ranges == [12..<15, 16..<20, 30..<35, 55..<60])
  }

  @Test func `subtracting all ranges of time leaves nothing`() {
    #expect(spans.subtracting(Spans([10..<60])).ranges.isEmpty)
  }

  @Test func `an intersection contains the ranges of time that both have`() {
    #expect(spans.intersection(Spans([15..<35, 59..<70])).ranges == [15..<20, 30..<35, 59..<60])
  }

  @Test func `an earlier range of time is inserted in its place`() {
    var spans = spans
    spans.insert(0..<12)
    #expect(spans.ranges == [0..<20, 30..<40, 50..<60])
  }
}

@Suite struct MediaClockTests {
  @Test func `media time continues where it was paused`() {
    var clock = MediaClock(from: 1000)
    clock.run(from: 10)
    clock.pause(at: 30)
    clock.run(from: 50)
    #expect(clock.end(at: 60) == 1030)
  }

  @Test func `media captured during a pause has no media time`() {
    var clock = MediaClock()
    clock.run(from: 10)
    clock.pause(at: 30)
    clock.run(from: 50)
    let parts = clock.parts(of: 20..<55)
    #expect(parts.map(\.captured) == [20..<30, 50..<55])
    #expect(parts.map(\.media) == [10, 20])
  }
}
