import HoldfastMediaModel
import Testing

@testable import HoldfastPublishing

@Suite struct PublishProofTests {
  private var proof = PublishProof()

  private static func health(
    confirmed: Int64 = 0, progress: Int64 = 0, isWaiting: Bool = false, provingTime: Int64 = 0
  ) -> SinkHealth {
    SinkHealth(
      lastProgress: .at(progress), confirmedUntil: .at(confirmed), isWaitingForPeer: isWaiting,
      provingTime: .milliseconds(provingTime))
  }

  @Test mutating func `a server's answer proves a publish once it covers the first media`() {
    proof.check(Self.health(confirmed: 90), at: .at(95))
    proof.mediaSent(at: .at(100))
    proof.mediaSent(at: .at(200))
    for (confirmed, isGiven) in [(99, false), (100, true), (99, true)] as [(Int64, Bool)] {
      proof.check(Self.health(confirmed: confirmed), at: .at(10_000))
      #expect(proof.isGiven == isGiven)
    }
  }

  @Test
  mutating func
    `where nothing answers, two seconds prove it in which the transport never stood still for one`()
  {
    proof.mediaSent(at: .at(0))
    for (now, progress, isWaiting, isGiven) in [
      (1000, 500, true, false), (1600, 500, true, false), (3500, 3400, true, false),
      (3599, 3500, false, false), (3600, 3600, false, true),
    ] as [(Int64, Int64, Bool, Bool)] {
      let health = Self.health(
        confirmed: progress, progress: progress, isWaiting: isWaiting, provingTime: 2000)
      proof.check(health, at: .at(now))
      #expect(proof.isGiven == isGiven, "at \(now) ms")
    }
  }

  @Test mutating func `time alone proves nothing`() {
    proof.mediaSent(at: .at(100))
    proof.check(Self.health(confirmed: 99, progress: 99, provingTime: 2000), at: .at(60_000))
    #expect(!proof.isGiven)
  }

  @Test func `an output has a keyframe forced once a second, and the one that had to wait is not forgotten`()
  {
    var pace = KeyframePace()
    #expect(pace.request(at: .at(0)) && pace.due == nil)
    #expect(!pace.request(at: .at(400)) && !pace.request(at: .at(999)) && pace.due == .at(1000))
    #expect(pace.request(at: .at(1000)) && pace.due == nil)
    #expect(!pace.request(at: .at(1500)) && pace.due == .at(2000))
    pace.cancel()
    #expect(pace.due == nil && !pace.mayRequest(at: .at(1999)) && pace.mayRequest(at: .at(2000)))
  }
}
