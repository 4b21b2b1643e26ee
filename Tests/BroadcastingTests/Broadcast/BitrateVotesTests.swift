import Testing

@testable import HoldfastBroadcasting

@Suite struct BitrateVotesTests {
  @Test func `another highest rate is the rate where no network objects`() {
    var votes = BitrateVotes(highest: 2_000_000)
    #expect([1_000_000, 1_000_000, 3_000_000].map { votes.limit(to: $0) } == [1_000_000, nil, 3_000_000])
  }

  @Test func `what a network can carry is not exceeded`() {
    var votes = BitrateVotes(highest: 2_000_000)
    _ = votes.vote(500_000, by: "a")
    #expect(votes.limit(to: 3_000_000) == nil)
    #expect(votes.vote(nil, by: "a") == 3_000_000)
  }

  @Test func `a vote for more than the highest is one for the highest`() {
    var votes = BitrateVotes(highest: 2_000_000)
    _ = votes.limit(to: 1_000_000)
    #expect(votes.vote(1_500_000, by: "a") == nil)
  }
}
