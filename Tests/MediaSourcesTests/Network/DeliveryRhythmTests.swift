import HoldfastMediaModel
import Testing

@testable import HoldfastMediaSources

@Suite struct DeliveryRhythmTests {
  private static let steps = DeliveryRhythm.steps(.milliseconds(50))
  private static let paced = DeliveryRhythm.paced(.milliseconds(8))

  @Test(arguments: [
    // Arrived early.
    (401, 110, 450), (400, 110, 400), (449, 110, 450), (450, 110, 450), (451, 110, 500),
    // Arrived late.
    (100, 110, 150), (100, 150, 150),
  ])
  func `packets that are passed on come together`(due: Int64, arrived: Int64, delivery: Int64) {
    #expect(
      Self.steps.delivery(due: at(due), arrived: at(arrived), last: at(0), now: at(arrived)) == at(delivery))
  }

  @Test(arguments: 0..<200)
  func `steps pass nothing on before it is due, and delay it by less than one`(due: Int64) {
    let arrived: Int64 = 100
    let delivery = Self.steps.delivery(due: at(due), arrived: at(arrived), last: nil, now: at(arrived))
    #expect(delivery >= max(at(due), at(arrived)) && delivery < max(at(due), at(arrived)) + .milliseconds(50))
  }

  @Test func `packets to be decoded come when they are due, and late ones at a pace`() {
    #expect(Self.paced.delivery(due: at(400), arrived: at(110), last: at(380), now: at(381)) == at(400))
    #expect(Self.paced.delivery(due: at(400), arrived: at(600), last: at(598), now: at(600)) == at(606))
    #expect(Self.paced.delivery(due: at(400), arrived: at(600), last: nil, now: at(600)) == at(600))
  }

  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }
}
