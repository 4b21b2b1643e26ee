import HoldfastMediaModel
import Testing

@testable import HoldfastPublishing

@Suite struct RTMPLivenessTests {
  private var liveness: RTMPLiveness

  init() {
    liveness = RTMPLiveness(at: .at(0))
    liveness.accept(window: 2500, at: .at(0))
  }

  @Test mutating func `a server that is slow to answer pings is given as long at the end`() throws {
    let first = liveness.duePing(at: .at(0), after: 0)
    liveness.pong(try #require(first), at: .at(400))
    #expect(liveness.patience(at: .at(400)) == .milliseconds(600))
    _ = liveness.duePing(at: .at(400), after: 1000)
    #expect(liveness.patience(at: .at(1400)) == .milliseconds(1500))
  }

  @Test mutating func `a server that only acknowledges is given as long as that took`() {
    _ = liveness.duePing(at: .at(0), after: 1000)
    liveness.acknowledge(2500, taken: 2500, at: .at(400))
    #expect(liveness.patience(at: .at(400)) == .milliseconds(600))
  }

  @Test mutating func `what a server owes does not delay the end of a connection that is given up`() throws {
    let first = liveness.duePing(at: .at(0), after: 0)
    liveness.pong(try #require(first), at: .at(20))
    _ = liveness.duePing(at: .at(40), after: 1000)
    #expect(liveness.patience(at: .at(3040), isGivenUp: true) == .milliseconds(150))
  }

  @Test mutating func `a server that never answers pings owes no answer`() {
    _ = liveness.duePing(at: .at(0), after: 0)
    #expect(liveness.patience(at: .at(1000)) == .milliseconds(150))
  }
}
