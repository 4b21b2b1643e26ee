import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores
import Testing

@testable import HoldfastMembership

/// A box and a hub over virtual time, one thing at a time.
@Suite struct BoxTests {
  /// A box that is in a session whose host is somebody else.
  private static func joined(
    _ change: (inout MembershipMachine.Settings) -> Void = { _ in }
  ) throws -> BoxRun {
    var run = try BoxRun(change)
    try run.hub.enter("host")
    try run.handle(.started)
    try run.pass(.seconds(1))
    run.keepHost = true
    _ = run.takeReports()
    _ = run.takeRequests()
    return run
  }

  private static func id(_ run: BoxRun) throws -> Session.Member.ID { try #require(try run.member?.id) }

  private static func isJoined(_ run: BoxRun) -> Bool {
    if case .joined = run.machine.state { true } else { false }
  }

  // MARK: - Joining

  @Test func `a box waits for the session, and is in once it is there`() throws {
    var run = try BoxRun()
    try run.handle(.started)
    try run.pass(.seconds(60))
    #expect(run.machine.snapshot.state == "absent")
    #expect((4...20).contains(run.takeRequests().count))
    try run.hub.enter("host")
    try run.pass(.seconds(16))
    #expect(run.machine.snapshot.state == "joined")
    #expect(run.output?.hasPrefix("rtmp://media/live/") == true)
    #expect(run.takeReports().filter { $0.name == "session" }.count == 2)
  }

  @Test func `a hub that can't be reached is told of once, and asked at most 20 times in 3 minutes`() throws {
    var run = try BoxRun()
    run.isCut = true
    try run.handle(.started)
    try run.pass(.seconds(180))
    #expect(run.takeReports() == [.waiting(.hubAway(.unreachable("lost")))])
    #expect((12...25).contains(run.takeRequests().count))
    #expect(!run.hasEnded)
  }

  @Test func `a password is asked for, wrong ones are slowed down, and the right one lets in`() throws {
    var run = try BoxRun()
    try run.hub.enter("host")
    try run.hub.act(.password(Session.PasswordHash("right")))
    try run.handle(.started)
    try run.pass(.seconds(1))
    #expect(run.takeRequests().contains(.askPassword(isWrong: false)))
    for number in 1...8 {
      try run.handle(.passwordGiven("wrong \(number)"))
      try run.pass(.milliseconds(500))
    }
    // The first five at once, then one after 1 s, another after 2 s.
    let joins = run.takeRequests().filter { if case .join = $0 { true } else { false } }
    #expect((5...7).contains(joins.count))
    #expect(run.machine.snapshot.state == "passwordNeeded")
    try run.handle(.passwordGiven("right"))
    try run.pass(.seconds(35))
    #expect(Self.isJoined(run))
    #expect(!run.hasEnded)
  }

  @Test func `the same wrong password of a file is not sent again before half a minute`() throws {
    var run = try BoxRun { $0.password = "wrong" }
    try run.hub.enter("host")
    try run.hub.act(.password(Session.PasswordHash("right")))
    try run.handle(.started)
    for _ in 0..<20 {
      try run.pass(.seconds(1))
      try run.handle(.passwordGiven("wrong"))
    }
    #expect(run.takeRequests().filter { if case .join = $0 { true } else { false } }.count == 1)
    try run.hub.act(.password(Session.PasswordHash("wrong")))
    try run.pass(.seconds(20))
    #expect(Self.isJoined(run))
  }

  @Test func `a locked session is waited for`() throws {
    var run = try BoxRun()
    try run.hub.enter("host")
    try run.hub.act(.lock)
    try run.handle(.started)
    try run.pass(.seconds(5))
    #expect(run.machine.snapshot.state == "absent")
    try run.hub.act(.unlock)
    try run.pass(.seconds(16))
    #expect(Self.isJoined(run))
  }

  // MARK: - Beats

  @Test func `a box beats each five seconds, give or take a fifth`() throws {
    var run = try Self.joined()
    try run.pass(.seconds(300))
    let beats = run.takeRequests().count
    #expect((48...75).contains(beats), "\(beats)")
  }

  @Test func `what the box says of itself is there at once`() throws {
    var run = try Self.joined()
    try run.become(.live)
    try run.pass(.milliseconds(250))
    #expect(try run.member?.reported.condition == .live)
  }

  @Test func `a box that changes its mind all the time beats at most four times a second`() throws {
    var run = try Self.joined()
    for number in 0..<400 {
      try run.become(number % 2 == 0 ? .live : .interrupted)
      try run.pass(.milliseconds(25))
    }
    #expect(run.takeRequests().count <= 41)
  }

  // MARK: - Mutes

  @Test func `a mute by others is in force within half a second`() throws {
    var run = try Self.joined()
    try run.hub.act(.mute(Self.id(run), [.audio]))
    try run.pass(.milliseconds(500))
    #expect(run.muted == [.audio])
    #expect(try run.member?.reported.muted == [.audio])
    #expect(run.takeReports().contains(.mutedByOthers([.audio])))
    try run.hub.act(.unmute(Self.id(run), [.audio]))
    try run.pass(.milliseconds(500))
    #expect(run.muted == [])
  }

  @Test func `a mute of all is in force within half a second`() throws {
    var run = try Self.joined()
    try run.hub.act(.muteAll([.audio, .video]))
    try run.pass(.milliseconds(500))
    #expect(run.muted == [.audio, .video])
  }

  @Test func `a mute on the box is in force before the hub knows of it, and then the hub knows`() throws {
    var run = try Self.joined()
    try run.handle(.ordered(.mute([.video]), id: "one"))
    #expect(run.muted == [.video])
    try run.pass(.milliseconds(500))
    #expect(try run.member?.mute.bySelf == [.video])
    #expect(run.takeReports() == [.answered(.mute([.video]), id: "one", .done)])
    try run.handle(.ordered(.unmute([.video]), id: "two"))
    #expect(run.muted == [])
    try run.pass(.milliseconds(500))
    #expect(try run.member?.mute.bySelf == [])
  }

  @Test func `what others muted is not unmuted on the box, and the operator is told`() throws {
    var run = try Self.joined()
    try run.hub.act(.mute(Self.id(run), [.audio]))
    try run.pass(.milliseconds(500))
    _ = run.takeReports()
    try run.handle(.ordered(.unmute([.audio]), id: "one"))
    try run.pass(.milliseconds(500))
    #expect(run.muted == [.audio])
    let reports = run.takeReports()
    let refusal = Session.Refusal.mutedByOthers
    let expected = HubRefusal(409, refusal.code, refusal.message, hint: refusal.hint)
    #expect(reports == [.answered(.unmute([.audio]), id: "one", .refused(expected))])
  }

  @Test(arguments: [true, false]) func `a question to unmute is answered by the operator`(agrees: Bool) throws
  {
    var run = try Self.joined()
    try run.handle(.ordered(.mute([.audio]), id: "one"))
    try run.pass(.seconds(1))
    try run.hub.act(.unmute(Self.id(run), [.audio]))
    try run.pass(.milliseconds(500))
    #expect(run.muted == [.audio])
    #expect(run.takeReports().filter { $0 == .unmuteAsked([.audio]) }.count == 1)
    try run.handle(.ordered(.answer(agrees), id: "two"))
    try run.pass(.seconds(10))
    #expect(run.muted == (agrees ? [] : [.audio]))
    #expect(run.takeReports() == [.answered(.answer(agrees), id: "two", .done)])
  }

  @Test func `a box that is allowed to unmutes itself when it is asked`() throws {
    var run = try Self.joined { $0.allowsUnmute = true }
    try run.handle(.ordered(.mute([.audio]), id: "one"))
    try run.pass(.seconds(1))
    try run.hub.act(.unmute(Self.id(run), [.audio]))
    try run.pass(.milliseconds(700))
    #expect(run.muted == [])
    #expect(try run.member?.mute.bySelf == [])
  }

  // MARK: - Without a hub

  @Test func `an outage of minutes ends nothing, and all meets again`() throws {
    var run = try Self.joined()
    try run.become(.live)
    try run.pass(.seconds(10))
    let output = run.output
    run.cut()
    try run.pass(.seconds(420))
    #expect(run.output == output)
    #expect(!run.hasEnded)
    #expect(run.takeReports().filter { $0.name == "session" }.count == 1)
    #expect(run.takeRequests().count < 120)
    run.isCut = false
    try run.pass(.seconds(20))
    #expect(run.machine.snapshot.state == "joined")
    #expect(try run.member?.reported.condition == .live)
  }

  @Test func `a store that is away keeps the place`() throws {
    var run = try Self.joined()
    let lease = try run.member?.lease
    run.hub.storeIsAway = true
    try run.pass(.seconds(120))
    #expect(run.machine.snapshot.state == "hubAway")
    run.hub.storeIsAway = false
    try run.pass(.seconds(18))
    #expect(run.machine.snapshot.state == "joined")
    #expect(try run.member?.lease == lease)
  }

  @Test func `what others muted is the member's to lift after a lease without a hub, and stays lifted`()
    throws
  {
    var run = try Self.joined()
    try run.hub.act(.mute(Self.id(run), [.audio]))
    try run.pass(.seconds(1))
    run.cut()
    try run.pass(.seconds(12))
    try run.handle(.ordered(.unmute([.audio]), id: "early"))
    #expect(run.muted == [.audio])
    try run.pass(.seconds(20))
    #expect(run.muted == [])
    #expect(run.takeReports().contains(.mayUnmute([.audio])))
    run.isCut = false
    try run.pass(.seconds(20))
    #expect(run.machine.snapshot.state == "joined")
    #expect(run.muted == [])
    #expect(try run.member?.mute.byOthers == [])
  }

  @Test func `nobody but the member lifts it, however long the hub is away`() throws {
    var run = try Self.joined()
    try run.hub.act(.mute(Self.id(run), [.audio]))
    try run.pass(.seconds(1))
    run.cut()
    try run.pass(.seconds(600))
    #expect(run.muted == [.audio])
    run.isCut = false
    try run.pass(.seconds(20))
    #expect(run.muted == [.audio])
  }

  @Test func `a limit that passes without a hub ends nothing before the hub is back`() throws {
    var run = try Self.joined()
    try run.become(.live)
    try run.hub.act(.limit(.seconds(60)))
    try run.pass(.seconds(2))
    #expect(run.machine.snapshot.endsAt != nil)
    run.cut()
    try run.pass(.seconds(100))
    #expect(!run.hasEnded)
    run.isCut = false
    try run.pass(.seconds(16))
    #expect(run.hasEnded)
    #expect(run.machine.state == .over(.time))
  }

  // MARK: - The end

  @Test(arguments: MembershipMachine.AfterSession.allCases)
  func `the host's end ends the broadcast, or only its output at the session`(
    after: MembershipMachine.AfterSession
  ) throws {
    var run = try Self.joined { $0.afterSession = after }
    try run.hub.act(.end)
    try run.pass(.milliseconds(500))
    #expect(run.machine.state == .over(.ended))
    #expect(run.hasEnded == (after == .endBroadcast))
    #expect((run.output == nil) == (after == .goOn))
    _ = run.takeRequests()
    try run.pass(.seconds(600))
    #expect(run.takeRequests() == [])
  }

  @Test func `an end that came while the box was down ends the broadcast that goes on after a crash`() throws
  {
    var run = try Self.joined()
    try run.hub.act(.end)
    try run.crash()
    try run.pass(.seconds(1))
    #expect(run.hasEnded)
  }

  @Test func `a new broadcast after the end has a new key, and joins the next session`() throws {
    var run = try Self.joined()
    try run.hub.act(.end)
    try run.pass(.seconds(1))
    let (hub, old) = (run.hub, run.disk)
    var machine = MembershipMachine(run.settings, record: old)
    let first = machine.handle(.started, at: run.now).first
    let record = try #require(first?.record)
    #expect(record.key != old?.key)
    var next = try BoxRun(hub: hub, key: record.key)
    try next.hub.enter("another host", Session.Credential(.host, token: "another"))
    try next.handle(.started)
    try next.pass(.seconds(1))
    #expect(Self.isJoined(next))
  }

  @Test func `a session that ended by being empty is simply joined again`() throws {
    var run = try BoxRun(credential: TestHub.host)
    try run.handle(.started)
    try run.pass(.seconds(1))
    run.cut()
    try run.pass(.seconds(400))
    #expect(try run.hub.session().meeting == nil)
    run.isCut = false
    try run.pass(.seconds(20))
    #expect(Self.isJoined(run))
    #expect(!run.hasEnded)
  }

  @Test func `a removed box closes its output, asks each half minute, and comes back when it is readmitted`()
    throws
  {
    var run = try Self.joined()
    let id = try Self.id(run)
    try run.hub.act(.remove(id))
    try run.pass(.milliseconds(500))
    #expect(run.output == nil)
    #expect(run.machine.snapshot.state == "removed")
    #expect(run.takeReports() == [.waiting(.removed)])
    _ = run.takeRequests()
    try run.pass(.seconds(300))
    #expect((9...10).contains(run.takeRequests().count))
    #expect(run.takeReports() == [])
    try run.hub.act(.readmit(id))
    try run.pass(.seconds(33))
    #expect(Self.isJoined(run))
    #expect(run.output != nil)
    #expect(!run.hasEnded)
  }

  @Test func `a box whose key another one has leaves for good`() throws {
    var run = try Self.joined()
    try run.handle(.ordered(.mute([.audio]), id: "one"))
    try run.pass(.seconds(1))
    let key = try #require(run.disk?.key)
    _ = try run.hub.join(Session.JoinRequest(key: key, name: "Copy", kind: .box)).get()
    try run.pass(.seconds(1))
    #expect(run.machine.state == .superseded)
    #expect(run.output == nil)
    #expect(run.muted == [.audio])
    #expect(!run.hasEnded)
    _ = run.takeRequests()
    try run.handle(.ordered(.unmute([.audio]), id: "two"))
    #expect(run.muted == [])
    try run.crash()
    try run.pass(.seconds(600))
    #expect(run.takeRequests() == [])
  }

  @Test func `a box that leaves says so, and goes on without the session`() throws {
    var run = try Self.joined()
    try run.handle(.leaveRequested)
    try run.pass(.seconds(1))
    #expect(run.machine.state == .left)
    #expect(run.output == nil)
    #expect(try run.member?.lease == nil)
    try run.handle(.broadcastEnded)
    #expect(run.machine.isFinished)
  }

  @Test func `the end of the broadcast leaves, and is over in three seconds without a hub`() throws {
    var run = try Self.joined()
    run.cut()
    try run.handle(.broadcastEnded)
    try run.pass(.seconds(2))
    #expect(!run.machine.isFinished)
    try run.pass(.seconds(2))
    #expect(run.machine.isFinished)
  }

  // MARK: - The same member

  @Test func `after a crash the box is muted before it has a hub, and is the same member`() throws {
    var run = try Self.joined()
    let id = try Self.id(run)
    try run.hub.act(.mute(id, [.audio]))
    try run.handle(.ordered(.mute([.video]), id: "one"))
    try run.pass(.seconds(1))
    let output = run.output
    run.cut()
    try run.crash()
    #expect(run.muted == [.audio, .video])
    #expect(run.output != nil && output != nil)
    try run.pass(.seconds(5))
    run.isCut = false
    try run.pass(.seconds(20))
    #expect(try run.member?.id == id)
    #expect(try run.member?.mute.bySelf == [.video])
    #expect(try run.member?.mute.byOthers == [.audio])
    #expect(run.muted == [.audio, .video])
  }

  @Test func `a new epoch is a new join, and what the box muted itself is muted again`() throws {
    var run = try Self.joined()
    try run.handle(.ordered(.mute([.video]), id: "one"))
    try run.handle(.sourcesOpened)
    try run.pass(.seconds(1))
    let id = try Self.id(run)
    run.hub.store.failOver(to: MemoryStore())
    run.keepHost = false
    try run.pass(.seconds(20))
    #expect(try run.member?.id == id)
    #expect(try run.member?.mute.bySelf == [.video])
    #expect(try run.member?.isReady == true)
    #expect(run.muted == [.video])
  }

  @Test func `a join that is carried out long after the box gave up does not drive the box out`() throws {
    var run = try Self.joined()
    let key = try #require(run.disk?.key)
    run.cut()
    try run.pass(.seconds(60))
    run.isCut = false
    try run.crash()
    try run.pass(.seconds(1))
    #expect(Self.isJoined(run))
    // What the process before had sent.
    _ = try run.hub.join(Session.JoinRequest(key: key, name: "Box", kind: .box)).get()
    try run.pass(.seconds(10))
    #expect(Self.isJoined(run))
  }

  // MARK: - The others

  @Test func `others that are ready are counted`() throws {
    var run = try Self.joined()
    let one = Session.Credential(.participant, token: "one")
    let lease = try run.hub.enter("one", one)
    try run.pass(.milliseconds(200))
    _ = try run.hub.command(lease, Session.CommandRequest(.ready)).get()
    try run.pass(.milliseconds(200))
    #expect(run.takeReports() == [.othersReady(1)])
    try run.handle(.sourcesOpened)
    try run.pass(.milliseconds(500))
    #expect(try run.member?.isReady == true)
    #expect(run.machine.snapshot.othersReady == 1)
    _ = try run.hub.leave(lease).get()
    try run.pass(.milliseconds(200))
    #expect(run.takeReports().contains(.othersReady(0)))
  }

  @Test func `who was ready before the box came is counted, too`() throws {
    var run = try BoxRun()
    let lease = try run.hub.enter("host")
    _ = try run.hub.command(lease, Session.CommandRequest(.ready)).get()
    try run.handle(.started)
    try run.pass(.seconds(1))
    #expect(run.takeReports().contains(.othersReady(1)))
  }

  @Test func `a new role is reported`() throws {
    var run = try Self.joined()
    try run.hub.act(.manager(Self.id(run)))
    try run.pass(.milliseconds(500))
    #expect(run.takeReports() == [.roleChanged(.manager)])
    #expect(run.machine.snapshot.role == .manager)
  }

  @Test func `a new address is the same output's`() throws {
    var run = try Self.joined()
    run.hub.ingest = "rtmp://other/live/"
    try run.pass(.seconds(7))
    #expect(run.output?.hasPrefix("rtmp://other/live/") == true)
    run.hub.ingest = nil
    try run.pass(.seconds(7))
    #expect(run.output == nil)
  }

  @Test func `a countdown costs no beats`() throws {
    var run = try Self.joined()
    try run.become(.live)
    try run.pass(.seconds(5))
    try run.hub.act(.limit(.seconds(70)))
    try run.pass(.seconds(6))
    _ = run.takeRequests()
    try run.pass(.seconds(50))
    #expect(run.takeRequests().count <= 13)
  }
}

extension MembershipMachine.Action {
  fileprivate var record: MembershipRecord? {
    if case .remember(let record) = self { record } else { nil }
  }
}
