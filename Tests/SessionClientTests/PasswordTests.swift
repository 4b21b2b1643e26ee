import HoldfastHTTP
import HoldfastMembership
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastBroadcasting
@testable import HoldfastSessionClient

@Suite(.realTime) struct PasswordTests {
  @Test func `a person is asked once for each wrong password, and not while the file has a new one`() throws {
    let file = Locked("one")
    let (given, asked) = (Locked<[MembershipMachine.Event]>([]), Locked(0))
    let place = HubRequests.Place(
      try HTTPAddress("http://127.0.0.1:1/Hall"), tls: TLSSettings(), password: { file.withLock { $0 } }
    ) { nil }
    let post: @Sendable (MembershipMachine.Event) -> Void = { event in given.withLock { $0.append(event) } }
    let requests = try HubRequests(place, post: post)
    defer { requests.stop() }
    let sounds = try SoundReports(to: place, requests) { [] }
    defer { sounds.stop() }
    var box = SystemMembershipEnvironment(
      hub: HubConnections(place: place, requests: requests, post: post), sounds: sounds,
      broadcaster: Broadcaster(Configuration(), observe: { _ in }, finish: { _ in }), records: nil,
      broadcast: { "one" }, shown: Locked(nil), othersReady: OthersReady(),
      askPerson: { _ in asked.withLock { $0 += 1 } }, password: "one", stage: nil, note: { _ in },
      sessionEnded: {})

    box.report(.waiting(.password(isWrong: true)))
    for _ in 0..<3 { box.askPassword(isWrong: true) }
    #expect(asked.withLock { $0 } == 1 && given.withLock { $0 } == [])

    file.withLock { $0 = "two" }
    box.askPassword(isWrong: true)
    #expect(asked.withLock { $0 } == 1 && given.withLock { $0 } == [.passwordGiven("two")])

    box.report(.waiting(.password(isWrong: true)))
    box.askPassword(isWrong: true)
    #expect(asked.withLock { $0 } == 2)
  }
}
