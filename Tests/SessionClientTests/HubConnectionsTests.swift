import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import TestTraits
import Testing

@testable import HoldfastSessionClient

@Suite(.realTime) struct HubConnectionsTests {
  @Test func `a stream that has ended by itself is joined when the next one opens, and at the end`() throws {
    let inbox = Inbox<MembershipMachine.Event>()
    // Nobody listens there.
    let place = HubRequests.Place(try HTTPAddress("http://127.0.0.1:1/Hall"), tls: TLSSettings()) { nil }
    let requests = try HubRequests(place) { inbox.post($0) }
    defer { requests.stop() }
    var connections = HubConnections(place, requests) { inbox.post($0) }
    weak var last: HubStream?
    for number in 1...3 {
      connections.openStream(number, lease: "lease", after: "1-1", silence: .seconds(40))
      // A stream that is let go without being joined stops a debug build.
      #expect(last == nil)
      last = connections.stream?.stream
      #expect(last != nil)
      guard case .streamClosed(number, .unreachable)? = inbox.take(until: .now + .seconds(60)) else {
        Issue.record("stream \(number) has not ended")
        return
      }
    }
    connections.closeStream()
    #expect(last == nil)
  }
}
