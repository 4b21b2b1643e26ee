import HoldfastMediaModel
import Testing

@testable import HoldfastPublishing

@Suite struct BitrateControllerTests {
  private var controller = BitrateController(.init(lowest: 500_000, highest: 2_500_000))

  @Test mutating func `the bit rate stays at its highest while nothing piles up`() {
    let changes = (0..<100).compactMap {
      controller.adapt(to: .init(queued: .milliseconds(200)), at: .at($0 * 250))
    }
    #expect(changes.isEmpty)
  }

  @Test mutating func `a controller at its highest rate follows a changed limit`() {
    let lowered = controller.limit(to: .init(lowest: 200_000, highest: 1_000_000))
    let raised = controller.limit(to: .init(lowest: 200_000, highest: 4_000_000))
    #expect([lowered, raised] == [1_000_000, 4_000_000])
  }

  @Test mutating func `a rate reduced for the network stays, within new limits`() {
    _ = controller.adapt(to: .init(queued: .seconds(1), throughput: 1_000_000), at: .at(0))
    #expect(controller.limit(to: .init(lowest: 200_000, highest: 4_000_000)) == nil)
    #expect(controller.limit(to: .init(lowest: 900_000, highest: 4_000_000)) == 900_000)
    #expect(controller.limit(to: .init(lowest: 200_000, highest: 400_000)) == 400_000)
  }

  @Test mutating func `the bit rate drops at once to the throughput when over 200 ms are queued`() {
    let rate = controller.adapt(to: .init(queued: .milliseconds(201), throughput: 1_000_000), at: .at(0))
    #expect(rate == 850_000)
  }

  @Test mutating func `the controller waits a second after a change`() {
    _ = controller.adapt(to: .init(queued: .seconds(1)), at: .at(0))
    let isChanged = [900, 1000].map { controller.adapt(to: .init(queued: .seconds(1)), at: .at($0)) != nil }
    #expect(isChanged == [false, true])
  }

  @Test(arguments: [
    BitrateController.Sample(queued: .zero, isStalled: true),
    BitrateController.Sample(queued: .zero, lossRate: 0.2),
  ])
  mutating func `a stall or losses lower the bit rate`(sample: BitrateController.Sample) {
    #expect(controller.adapt(to: sample, at: .at(0)) != nil)
  }

  @Test mutating func `the bit rate never leaves its limits`() {
    for step in 0..<100 { _ = controller.adapt(to: .init(queued: .seconds(5)), at: .at(Int64(step) * 1000)) }
    #expect(controller.bitrate == 500_000)
    for step in 100..<1000 { _ = controller.adapt(to: .init(queued: .zero), at: .at(Int64(step) * 1000)) }
    #expect(controller.bitrate == 2_500_000)
  }

  @Test mutating func `from a rate that held the bit rate rises by a tenth after each four calm seconds`() {
    for second in 0...121 {
      _ = controller.adapt(to: .init(queued: .seconds(1)), at: .at(Int64(second) * 1000))
    }
    let ups = (1...40).compactMap { step in
      controller.adapt(to: .init(queued: .zero), at: .at(121_000 + Int64(step) * 250)).map {
        (step * 250, $0)
      }
    }
    #expect(ups.map(\.0) == [4250, 8250])
    #expect(ups.map(\.1) == [550_000, 605_000])
  }
}
