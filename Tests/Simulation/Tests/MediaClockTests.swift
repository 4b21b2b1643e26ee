import Testing

@testable import Simulation

@Suite struct MediaClockTests {
  @Test func `media time goes on where it stood`() {
    var clock = MediaClock(from: 1000)
    clock.run(from: 10)
    clock.pause(at: 30)
    clock.run(from: 50)
    #expect(clock.end(at: 60) == 1030)
  }

  @Test func `what was captured while it stood still belongs nowhere`() {
    var clock = MediaClock()
    clock.run(from: 10)
    clock.pause(at: 30)
    clock.run(from: 50)
    let parts = clock.parts(of: 20..<55)
    #expect(parts.map(\.captured) == [20..<30, 50..<55])
    #expect(parts.map(\.media) == [10, 20])
  }
}
