import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

@Suite struct MemberOutagesTests {
  private func texts(_ losses: [TrackLoss]) -> [String] {
    losses.map { "\($0.member ?? "nobody") \($0.mediaAt.seconds)+\($0.duration.seconds)" }
  }

  @Test func `who was away is told when they are back`() {
    var outages = MemberOutages(track: .video)
    #expect(outages.update([:], at: .seconds(1)) == [])
    #expect(outages.update(["A": .zero, "B": .zero], at: .seconds(2)) == [])
    #expect(texts(outages.lasting(at: .seconds(4))) == ["A 2.0+2.0", "B 2.0+2.0"])
    #expect(texts(outages.update(["A": .zero], at: .seconds(5))) == ["B 2.0+3.0"])
    #expect(texts(outages.update(["A": .zero], at: .seconds(6))) == [])
    #expect(texts(outages.end(at: .seconds(7))) == ["A 2.0+5.0"])
    #expect(outages.end(at: .seconds(8)) == [])
  }

  @Test func `what was missing before it was noticed counts, but not from before media began`() {
    var outages = MemberOutages(track: .video)
    #expect(outages.update([:], at: .seconds(10)) == [])
    _ = outages.update(["A": .seconds(1)], at: .seconds(12))
    _ = outages.update(["A": .seconds(2), "B": .seconds(5)], at: .seconds(13))
    #expect(texts(outages.update([:], at: .seconds(14))) == ["A 11.0+3.0", "B 10.0+4.0"])
    #expect(outages.end(at: .seconds(15)) == [])
    _ = outages.update(["A": .seconds(3)], at: .seconds(16))
    #expect(texts(outages.end(at: .seconds(17))) == ["A 15.0+2.0"])
  }

  @Test func `a loss is a member's, and something else takes its place`() {
    var outages = MemberOutages(track: .audio)
    _ = outages.update(["A": .zero], at: .zero)
    let loss = outages.end(at: .seconds(1)).first
    #expect(loss?.cause == .source && loss?.isFilled == true && loss?.track == .audio && loss?.output == nil)
  }

  @Test func `without a time, the track ends where it was last`() {
    var outages = MemberOutages(track: .video, step: .milliseconds(500))
    _ = outages.update(["A": .zero], at: .seconds(1))
    _ = outages.update(["A": .zero], at: .seconds(3))
    #expect(texts(outages.end()) == ["A 1.0+2.5"])
  }

  @Test func `an absence of no length is none`() {
    var outages = MemberOutages(track: .video)
    _ = outages.update(["A": .zero], at: .seconds(1))
    #expect(outages.end() == [])
  }

  @Test func `losses of members stand beside one another, and beside the track's own`() {
    let own = TrackLoss(track: .video, cause: .source, mediaAt: .zero, duration: .seconds(1))
    var (a, b) = (own, own)
    (a.member, b.member) = ("A", "B")
    #expect(Set([own, a, b].map { RunningLoss($0).place }).count == 3)
  }
}
