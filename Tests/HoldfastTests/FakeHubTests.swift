import HoldfastTesting
import TestTraits
import Testing

@testable import Holdfast

/// What a fake hub can be told to do, as its members see it.
@Suite(.realTime) struct FakeHubTests {
  private let hub: FakeHub

  init() throws { hub = try FakeHub() }

  @Test func `each session is one of its own, whatever its name`() async throws {
    let names = ["Hall", "Säle & Flure", "会議"]
    var members: [SessionMember] = []
    for name in names { members.append(try await hub.joined("Anna", to: name).member) }
    #expect(hub.sessions.sorted() == names.sorted())
    for (name, member) in zip(names, members) {
      #expect(hub.state(name)?.members.map(\.id) == [try #require(member.id)])
    }
  }

  @Test(arguments: FakeHub.Refusal.allCases)
  func `a join is refused as it was told, and the next one is not`(refusal: FakeHub.Refusal) async throws {
    hub.refuseNext(.join, as: refusal)
    let member = try hub.member("Anna")
    let error = await failure { () throws(SessionError) in try await member.join() }
    // A lease that is over before it is given is simply asked for again.
    if let error { #expect(error.code == refusal.rawValue) }
    #expect(hub.state() == nil || error == nil)
    let (second, id) = try await hub.joined("Max")
    #expect(hub.state()?[id] != nil && second.id == id)
  }

  @Test func `a stream that was cut is opened again, and misses nothing`() async throws {
    let (anna, _) = try await hub.joined("Anna")
    #expect(await hub.waitForRequests(.events, count: 1))
    var events = anna.events().makeAsyncIterator()
    hub.disconnectStreams()
    try hub.perform(.lock)
    #expect(await hub.waitForRequests(.events, count: 2))
    #expect(await events.next()?.kind == .locked)
  }

  @Test func `answers that are slow are waited for`() async throws {
    let (anna, _) = try await hub.joined("Anna")
    hub.delayAnswers(by: .milliseconds(300))
    let start = ContinuousClock.now
    try await anna.perform(.lock)
    #expect(ContinuousClock.now - start >= .milliseconds(300))
  }

  @Test func `a time limit does not run while nobody is live`() async throws {
    let (anna, _) = try await hub.joined("Anna")
    let events = anna.events()
    try await anna.perform(.limit(.seconds(600)))
    try hub.perform(.event("bell"))
    hub.pass(.seconds(1200))
    // Nobody was live: the time has not begun.
    #expect(hub.state() != nil && anna.id != nil)
    try hub.perform(.end)
    // A beat's answer may be there before the event.
    let ends: [SessionEvent.Kind] = [.ended(.ended), .membership(.over(.ended))]
    for await event in events where ends.contains(event.kind) { return }
    Issue.record("the end was not seen")
  }

  @Test func `a hub with tokens lets in who has one, in the role of it`() async throws {
    let hub = try FakeHub(requiresTokens: true)
    let stranger = try hub.member("Anna")
    let refused = await failure { () throws(SessionError) in try await stranger.join() }
    #expect(refused?.kind == .refused)
    let (hostToken, token) = (try hub.token(of: "Anna"), try hub.token(of: "Max", isHost: false))
    let (anna, _) = try await hub.joined("Anna") { $0.token = hostToken }
    let (max, _) = try await hub.joined("Max") { $0.token = token }
    #expect(hub.state()?.members.map(\.role) == [.host, .participant])
    withExtendedLifetime((anna, max)) {}
  }
}
