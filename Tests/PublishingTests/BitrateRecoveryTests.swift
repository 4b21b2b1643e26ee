import HoldfastMediaModel
import Testing

@testable import HoldfastPublishing

/// An encoder that follows its controller, the queue, the connection's buffer, and a network, in steps of 50 ms.
private struct Link {
  private var controller: BitrateController
  private var throughput = Throughput()
  private var (queued, unsent, taken) = (0.0, 0.0, 0.0)
  private(set) var readings: [(at: Double, bitrate: Int, queued: Double)] = []

  private static let buffer = Double(64 << 10) * 8
  private static let step = 0.05
  static let highest = 1_500_000

  init(lowest: Int = highest / 5) {
    controller = BitrateController(.init(lowest: lowest, highest: Self.highest))
  }

  /// The network's `capacity` is in bits per second, at each second.
  mutating func run(seconds: Double, capacity: (Double) -> Double) {
    for step in 1...Int(seconds / Self.step) {
      let now = Double(step) * Self.step
      queued += Double(controller.bitrate) * Self.step
      let moved = min(queued, max(0, Self.buffer - unsent))
      let sent = min(unsent + moved, capacity(now) * Self.step)
      (queued, unsent, taken) = (queued - moved, unsent + moved - sent, taken + sent)
      if step.isMultiple(of: 5) { adapt(at: now) }
    }
  }

  private mutating func adapt(at now: Double) {
    let at = MonotonicTime(nanoseconds: Int64(now * 1e9))
    let delay = queued / Double(controller.bitrate)
    let sample = BitrateController.Sample(
      queued: .milliseconds(Int64(delay * 1000)), unsentBytes: Int(unsent / 8),
      throughput: throughput.bitsPerSecond(taken: Int64(taken / 8), at: at))
    _ = controller.adapt(to: sample, at: at)
    readings.append((now, controller.bitrate, delay))
  }
}

@Suite struct BitrateRecoveryTests {
  private static let weak: [Double] = [250, 300, 350, 500, 700, 900, 1100, 1300, 1400].map { $0 * 1000 }

  /// The end of the weak time falls into each phase of the controller's attempts.
  @Test(arguments: weak, [1.7e6, 1e9])
  func `after a weak minute the old rate is back within 15 s`(weak: Double, good: Double) throws {
    for phase in 0..<24 {
      let end = 70 + Double(phase) / 2
      var link = Link()
      link.run(seconds: end + 20) { (10..<end).contains($0) ? weak : good }
      let back = try #require(link.readings.first { $0.at > end && $0.bitrate == Link.highest })
      #expect(back.at - end <= 15, "ended at \(end)")
    }
  }

  @Test func `a rate far below is left within 15 s, too`() throws {
    var link = Link(lowest: 50_000)
    link.run(seconds: 90) { (10..<70).contains($0) ? 60_000 : 1e9 }
    let back = try #require(link.readings.first { $0.at > 70 && $0.bitrate == Link.highest })
    #expect(back.at <= 85)
  }

  @Test(arguments: [350, 500, 700, 900, 1100, 1300, 1400].map { $0 * 1000.0 })
  func `a network that stays weak is filled, not flooded`(capacity: Double) {
    var link = Link()
    link.run(seconds: 900) { _ in capacity }
    let later = link.readings.filter { $0.at > 30 }
    let mean = later.reduce(0) { $0 + Double($1.bitrate) } / Double(later.count)
    #expect((0.9...1.01).contains(mean / capacity))
    #expect(later.allSatisfy { $0.queued < 0.35 })
    // On the average one in 15 s.
    #expect(zip(later, later.dropFirst()).count { $1.bitrate < $0.bitrate } <= 58)
  }

  @Test func `an attempt to return stops as soon as the connection fills`() {
    var controller = BitrateController(.init(lowest: 300_000, highest: 1_500_000))
    func adapt(_ second: Double, queued: MediaTime = .zero, unsent: Int = 0) -> Int? {
      controller.adapt(
        to: .init(queued: queued, unsentBytes: unsent, throughput: 500_000),
        at: MonotonicTime(nanoseconds: Int64(second * 1e9)))
    }
    #expect(adapt(0, queued: .seconds(1)) == 425_000)
    #expect(adapt(1) == nil)
    #expect(adapt(5) == 559_376)
    #expect(adapt(6, unsent: 10_000) == nil)
    #expect(adapt(6.5, unsent: 6000) == 693_752)
    #expect(adapt(7, unsent: 0) == nil)
  }

  @Test func `after two weak minutes the rate that holds is left only slowly`() {
    var link = Link()
    link.run(seconds: 200) { $0 > 170 ? 1e9 : 500_000 }
    let later = link.readings.filter { $0.at > 170 }.map(\.bitrate)
    #expect(zip(later, later.dropFirst()).allSatisfy { Double($1) <= Double($0) * 1.11 })
  }
}
