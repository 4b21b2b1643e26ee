import HoldfastTesting
import TestTraits
import Testing

@testable import Holdfast

/// Members without a broadcast, at a hub of the test's own.
@Suite(.realTime) struct SessionMemberTests {
  private let hub: FakeHub

  init() throws { hub = try FakeHub() }

  /// The first event for which `isWanted` holds.
  private func first(
    _ events: AsyncStream<SessionEvent>, where isWanted: (SessionEvent.Kind) -> Bool
  ) async -> SessionEvent? {
    for await event in events where isWanted(event.kind) { return event }
    return nil
  }

  @Test func `whoever joins is in the session, and its creator is the host`() async throws {
    let (anna, id) = try await hub.joined("Anna")
    #expect(hub.state()?[id]?.name == "Anna" && anna.state == .joined(id: id, .host))
    #expect(try await anna.session().hostID == id)
  }

  @Test func `all members see the same events in the same order`() async throws {
    let (anna, id) = try await hub.joined("Anna")
    let max = try hub.member("Max")
    let streams = [anna.events(), max.events()]
    try await max.join()
    let other = try #require(max.id)
    try await anna.perform(.mute(other))
    try await anna.perform(.lock)
    try await anna.perform(.event("bell", data: #"{"times":2}"#))
    try await anna.perform(.end)
    var seen: [[SessionEvent]] = []
    for stream in streams {
      var events: [SessionEvent] = []
      for await event in stream {
        if event.id != nil { events.append(event) }
      }
      seen.append(events.filter { if case .reportedMuted = $0.kind { false } else { true } })
    }
    let expected: [SessionEvent.Kind] = [
      .muted(other, [.audio], by: .others), .locked,
      .event(from: id, name: "bell", data: #"{"times":2}"#), .ended(.ended),
    ]
    #expect(seen[1].map(\.kind) == expected)
    #expect(seen[0].map(\.kind) == [.joined(other, name: "Max", .person, returned: false)] + expected)
    #expect(Array(seen[0].dropFirst()) == seen[1])
  }

  @Test func `a command that is refused says why, and changes nothing`() async throws {
    let hub = try FakeHub(requiresTokens: true)
    let (hostToken, token) = (try hub.token(of: "Anna"), try hub.token(of: "Max", isHost: false))
    let (host, _) = try await hub.joined("Anna") { $0.token = hostToken }
    let (other, _) = try await hub.joined("Max") { $0.token = token }
    let error = await failure { () throws(SessionError) in try await other.perform(.lock) }
    #expect(error?.kind == .refused && error?.code == "notAllowed" && hub.state()?.isLocked == false)
    withExtendedLifetime(host) {}
  }

  @Test func `a command whose first answer is that the store is away is done once`() async throws {
    let (anna, _) = try await hub.joined("Anna")
    try await anna.perform(.limit(.seconds(3600)))
    hub.refuseNext(.command, count: 2, as: .storeAway)
    let before = hub.count(.command)
    try await anna.perform(.lock)
    #expect(hub.state()?.isLocked == true && hub.count(.command) == before + 3)
  }

  @Test func `a value that can't be sent is refused here`() async throws {
    let (anna, _) = try await hub.joined("Anna")
    let before = hub.count(.command)
    let wrong: [SessionCommand] = [
      .remove("Max"), .rename(to: ""), .mute(nil, []), .event("bell", data: "{"),
    ]
    for command in wrong {
      let error = await failure { () throws(SessionError) in try await anna.perform(command) }
      #expect(error?.kind == .invalid, "\(command)")
    }
    #expect(hub.count(.command) == before)
  }

  @Test func `a hub that is away for a while is bridged, and nothing is missed`() async throws {
    let (anna, id) = try await hub.joined("Anna")
    var events = anna.events().makeAsyncIterator()
    hub.stop()
    while let event = await events.next() {
      if case .membership(.waiting(let error)) = event.kind {
        #expect(error.kind == .unreachable)
        break
      }
    }
    try hub.perform(.lock)
    try hub.restart()
    var seen: [SessionEvent.Kind] = []
    while !(seen.contains(.locked) && seen.contains(.membership(.joined(id: id, .host)))),
      let event = await events.next()
    { seen.append(event.kind) }
    #expect(seen.count { $0 == .locked } == 1 && anna.id == id)
  }

  @Test func `a store that has begun anew is joined again as the same member`() async throws {
    let (anna, id) = try await hub.joined("Anna")
    let events = anna.events()
    hub.beginEpoch()
    #expect(await first(events) { if case .state = $0 { true } else { false } } != nil)
    #expect(await hub.waitForSession { $0[id] != nil } != nil)
  }

  @Test func `a removed member is out, and its commands are refused`() async throws {
    let (anna, _) = try await hub.joined("Anna")
    let (max, id) = try await hub.joined("Max")
    let events = max.events()
    try await anna.perform(.remove(id))
    let event = await first(events) { if case .membership(.waiting) = $0 { true } else { false } }
    guard case .membership(.waiting(let error))? = event?.kind else {
      Issue.record("the member is not told that it was removed")
      return
    }
    #expect(error.code == "removed" && hub.state()?[id] == nil)
    let refused = await failure { () throws(SessionError) in try await max.perform(.ready) }
    #expect(refused?.code == "removed")
  }

  @Test func `a newer join of the same key puts the older one out for good`() async throws {
    let key = "a key of the tests, sixteen".replacing(" ", with: "-")
    let (first, id) = try await hub.joined("Anna") { $0.memberKey = key }
    let events = first.events()
    let (second, same) = try await hub.joined("Anna") { $0.memberKey = key }
    #expect(same == id)
    var last: SessionEvent.Kind?
    for await event in events { last = event.kind }
    #expect(last == .membership(.superseded) && first.state == .superseded)
    #expect(second.state == .joined(id: id, .host))
  }

  @Test func `a session that is over ends the events of its members`() async throws {
    let (anna, _) = try await hub.joined("Anna")
    try await anna.perform(.limit(.seconds(600)))
    let events = anna.events()
    try hub.perform(.end)
    var last: SessionEvent.Kind?
    for await event in events { last = event.kind }
    #expect(last == .membership(.over(.ended)))
    let error = await failure { () throws(SessionError) in try await anna.perform(.lock) }
    #expect(error?.code == "sessionOver")
  }

  @Test func `a member that falls silent is gone, and one that leaves is gone at once`() async throws {
    let (anna, id) = try await hub.joined("Anna")
    let (max, other) = try await hub.joined("Max")
    await max.leave()
    #expect(hub.state()?.members.map(\.id) == [id] && max.state == .left && max.id == nil)
    hub.pass(.seconds(30), silent: [id])
    #expect(hub.state()?[id] == nil)
    withExtendedLifetime((anna, other)) {}
  }

  @Test func `what keeps a member out is thrown by its join`() async throws {
    let (anna, _) = try await hub.joined("Anna")
    try await anna.perform(.password("open sesame"))
    let max = try hub.member("Max")
    let needed = await failure { () throws(SessionError) in try await max.join() }
    #expect(needed?.code == "passwordNeeded")
    let (_, id) = try await hub.joined("Max") { $0.password = "open sesame" }
    #expect(hub.state()?[id] != nil)
    try await anna.perform(.lock)
    let eve = try hub.member("Eve") { $0.password = "open sesame" }
    let locked = await failure { () throws(SessionError) in try await eve.join() }
    #expect(locked?.code == "locked")
    hub.stop()
    let late = try hub.member("Eve")
    let away = await failure { () throws(SessionError) in try await late.join() }
    #expect(away?.kind == .unreachable)
  }

  @Test(arguments: ["ftp://hub/Hall", "http://hub.example/Hall", "https://hub.example", "Hall"])
  func `an address that can't be a session's is refused`(url: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try SessionMember(SessionSettings(url, name: "Anna"))
    }
    #expect(error?.properties == ["url"])
  }

  @Test func `secrets are not in what settings show of themselves`() {
    var settings = SessionSettings("https://hub.example/Hall", name: "Anna")
    (settings.token, settings.password, settings.memberKey) = ("secret 1", "secret 2", "secret 3")
    #expect(!"\(settings)".contains("secret"))
  }
}
