import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastSession
import TestSupport
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
    var connections = HubConnections(place: place, requests: requests) { inbox.post($0) }
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

  @Test(arguments: 1...6)
  func `a membership that is abandoned at any moment has ended its stream`(moment: Int) throws {
    let place = HubRequests.Place(try HTTPAddress("http://127.0.0.1:1/Hall"), tls: TLSSettings()) { nil }
    let requests = try HubRequests(place) { _ in }
    defer { requests.stop() }
    weak var stream: HubStream?
    func membership() throws -> MembershipLoop<PersonEnvironment> {
      var connections = HubConnections(place: place, requests: requests) { _ in }
      connections.openStream(1, lease: "lease", after: "1-1", silence: .seconds(40))
      stream = connections.stream?.stream
      let environment = PersonEnvironment(
        hub: connections, knowledge: Locked(PersonKnowledge()), observe: { _ in }, post: { _ in })
      let settings = MembershipMachine.Settings(
        address: "\(place.address)", name: try Session.DisplayName("Anna"))
      let asked = Locked(0)
      return MembershipLoop(
        driver: MembershipDriver(settings, record: nil, environment),
        isAbandoned: {
          asked.withLock { $0 += 1 }
          return asked.withLock { $0 >= moment }
        })
    }
    let loop = EventLoop<MembershipMachine.Event>()
    for _ in 0..<6 { loop.post(.timePassed) }
    // A stream that is let go without being joined stops a debug build.
    loop.run(try membership())
    #expect(stream == nil)
  }

  @Test func `a flood of events leaves room for what else is posted, and all of it arrives in order`() throws
  {
    let count = 3000
    let flood = try FloodServer(events: count)
    defer { flood.stop() }
    let inbox = Inbox<MembershipMachine.Event>()
    let place = HubRequests.Place(
      try HTTPAddress("http://127.0.0.1:\(flood.port)/Hall"), tls: TLSSettings()
    ) { nil }
    let taken = Locked(0)
    let requests = try HubRequests(place) { inbox.post($0) }
    defer { requests.stop() }
    var connections = HubConnections(place: place, requests: requests) { event in
      taken.withLock { $0 += 1 }
      inbox.post(event)
    }
    connections.openStream(1, lease: "lease", after: "1-0", silence: .seconds(60))
    // With the one that says that it is open.
    #expect(eventually { taken.withLock { $0 } == HubStream.maxUnread + 1 })
    let isFull = flood.waitUntilFull()
    #expect(isFull)
    #expect(taken.withLock { $0 } == HubStream.maxUnread + 1)
    let hasRoom = inbox.post(.broadcastEnded)
    #expect(hasRoom)
    var seen: [UInt64] = []
    while seen.count < count, let event = inbox.take(until: generousDeadline) {
      if case .streamed(1, let event) = event { seen.append(event.id?.sequence ?? 0) }
      connections.noteHandled(event)
    }
    #expect(seen == (1...UInt64(count)).map { $0 })
    connections.closeStream()
  }
}
