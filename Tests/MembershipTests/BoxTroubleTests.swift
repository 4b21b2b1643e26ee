import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores
import Testing

@testable import HoldfastMembership

/// A box that loses its hub, its session or its life.
@Suite final class BoxTroubleTests {
  private var run: BoxRun

  init() throws { run = try BoxRun.joined() }

  // MARK: - Without a hub

  @Test func `an outage of minutes ends nothing, and all meets again`() throws {
    try run.become(.live, passing: .seconds(10))
    let output = run.output
    try run.cut(passing: .seconds(420))
    #expect(run.output == output)
    #expect(!run.hasEnded)
    #expect(run.takeReports().filter { $0.name == "session" }.count == 1)
    #expect(run.takeRequests().count < 120)
    try run.mend(passing: .seconds(20))
    #expect(run.machine.snapshot.state == "joined")
    #expect(try run.member?.reported.condition == .live)
  }

  @Test func `a store that is away keeps the place`() throws {
    let lease = try run.member?.lease
    run.hub.storeIsAway = true
    try run.pass(.seconds(120))
    #expect(run.machine.snapshot.state == "hubAway")
    run.hub.storeIsAway = false
    try run.pass(.seconds(18))
    #expect(run.machine.snapshot.state == "joined")
    #expect(try run.member?.lease == lease)
  }

  @Test
  func `what others muted is the member's to lift after a lease without a hub, and stays lifted`() throws {
    try run.act(.mute(run.id(), [.audio]), passing: .seconds(1))
    try run.cut(passing: .seconds(12))
    try run.handle(.ordered(.unmute([.audio]), id: "early"))
    #expect(run.muted == [.audio])
    try run.pass(.seconds(20))
    #expect(run.muted == [])
    #expect(run.takeReports().contains(.mayUnmute([.audio])))
    try run.mend(passing: .seconds(20))
    #expect(run.machine.snapshot.state == "joined")
    #expect(run.muted == [])
    #expect(try run.member?.mute.byOthers == [])
  }

  @Test func `nobody but the member lifts it, however long the hub is away`() throws {
    try run.act(.mute(run.id(), [.audio]), passing: .seconds(1))
    try run.cut(passing: .seconds(600))
    #expect(run.muted == [.audio])
    try run.mend(passing: .seconds(20))
    #expect(run.muted == [.audio])
  }

  @Test func `a limit that passes without a hub ends nothing before the hub is back`() throws {
    try run.become(.live)
    try run.act(.limit(.seconds(60)), passing: .seconds(2))
    #expect(run.machine.snapshot.endsAt != nil)
    try run.cut(passing: .seconds(100))
    #expect(!run.hasEnded)
    try run.mend(passing: .seconds(16))
    #expect(run.hasEnded)
    #expect(run.machine.state == .over(.time))
  }

  // MARK: - The end

  @Test(arguments: MembershipMachine.AfterSession.allCases)
  func `the host's end ends the broadcast, or only its output at the session`(
    after: MembershipMachine.AfterSession
  ) throws {
    run = try BoxRun.joined { $0.afterSession = after }
    try run.act(.end, passing: .milliseconds(500))
    #expect(run.machine.state == .over(.ended))
    #expect(run.hasEnded == (after == .endBroadcast))
    #expect((run.output == nil) == (after == .goOn))
    _ = run.takeRequests()
    try run.pass(.seconds(600))
    #expect(run.takeRequests() == [])
  }

  @Test
  func `an end that came while the box was down ends the broadcast that goes on after a crash`() throws {
    try run.hub.act(.end)
    try run.crash()
    try run.pass(.seconds(1))
    #expect(run.hasEnded)
  }

  @Test func `a new broadcast after the end has a new key, and joins the next session`() throws {
    try run.act(.end, passing: .seconds(1))
    let (hub, old) = (run.hub, run.disk)
    var machine = MembershipMachine(run.settings, record: old)
    let first = machine.handle(.started, at: run.now).first
    let record = try #require(first?.record)
    #expect(record.key != old?.key)
    var next = try BoxRun(seed: 2, hub: hub, key: record.key)
    try next.hub.enter("another host", Session.Credential(.host, token: "another"))
    try next.handle(.started, passing: .seconds(1))
    #expect(next.isJoined)
  }

  @Test
  func `a new broadcast joins the next session, though the box was off when the last one ended`() throws {
    let old = try #require(run.disk)
    try run.hub.act(.end)
    var next = try BoxRun(seed: 2, hub: run.hub, key: old.key)
    try next.hub.enter("another host", Session.Credential(.host, token: "another"))
    try next.handle(.started, passing: .seconds(6))
    #expect(next.isJoined && !next.hasEnded)
    #expect(next.disk?.key != old.key)
  }

  @Test func `a session that ended by being empty is simply joined again`() throws {
    run = try BoxRun(credential: TestHub.host)
    try run.handle(.started, passing: .seconds(1))
    try run.cut(passing: .seconds(400))
    #expect(try run.hub.session().meeting == nil)
    try run.mend(passing: .seconds(20))
    #expect(run.isJoined && !run.hasEnded)
  }

  @Test
  func
    `a removed box closes its output, asks each half minute, and comes back when it is readmitted`()
    throws
  {
    let id = try run.id()
    try run.act(.remove(id), passing: .milliseconds(500))
    #expect(run.output == nil)
    #expect(run.machine.snapshot.state == "removed")
    #expect(run.takeReports() == [.waiting(.removed)])
    _ = run.takeRequests()
    try run.pass(.seconds(300))
    #expect((9...10).contains(run.takeRequests().count))
    #expect(run.takeReports() == [])
    try run.act(.readmit(id), passing: .seconds(33))
    #expect(run.isJoined && run.output != nil && !run.hasEnded)
  }

  @Test func `a box whose key another one has leaves for good`() throws {
    try run.handle(.ordered(.mute([.audio]), id: "one"), passing: .seconds(1))
    let key = try #require(run.disk?.key)
    _ = try run.hub.join(Session.JoinRequest(key: key, name: "Copy", kind: .box))
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
    try run.handle(.leaveRequested, passing: .seconds(1))
    #expect(run.machine.state == .left)
    #expect(run.output == nil)
    #expect(try run.member?.lease == nil)
    try run.handle(.broadcastEnded)
    #expect(run.machine.isFinished)
  }

  @Test func `the end of the broadcast leaves, and is over in three seconds without a hub`() throws {
    run.cut()
    try run.handle(.broadcastEnded, passing: .seconds(2))
    #expect(!run.machine.isFinished)
    try run.pass(.seconds(2))
    #expect(run.machine.isFinished)
  }

  // MARK: - The same member

  @Test func `after a crash the box is muted before it has a hub, and is the same member`() throws {
    let id = try run.id()
    try run.hub.act(.mute(id, [.audio]))
    try run.handle(.ordered(.mute([.video]), id: "one"), passing: .seconds(1))
    let output = run.output
    run.cut()
    try run.crash()
    #expect(run.muted == [.audio, .video])
    #expect(run.output != nil && output != nil)
    try run.pass(.seconds(5))
    try run.mend(passing: .seconds(20))
    #expect(try run.member?.id == id)
    #expect(try run.member?.mute.bySelf == [.video])
    #expect(try run.member?.mute.byOthers == [.audio])
    #expect(run.muted == [.audio, .video])
    try run.act(.unmute(id, [.audio]), passing: .seconds(1))
    #expect(run.muted == [.video])
    #expect(run.takeReports().contains { if case .unmuteAsked = $0 { true } else { false } } == false)
  }

  @Test func `what is muted at the sources and was not in the record is the box's own`() throws {
    run = try BoxRun { $0.muted = [.audio] }
    try run.hub.enter("host")
    try run.handle(.started)
    #expect(run.muted == [.audio])
    try run.pass(.seconds(1))
    #expect(try run.member?.mute.bySelf == [.audio])
  }

  @Test func `a new epoch is a new join, and what the box muted itself is muted again`() throws {
    try run.handle(.ordered(.mute([.video]), id: "one"))
    try run.handle(.sourcesOpened, passing: .seconds(1))
    let id = try run.id()
    run.hub.store.failOver(to: MemoryStore())
    run.keepHost = false
    try run.pass(.seconds(20))
    #expect(try run.member?.id == id)
    #expect(try run.member?.mute.bySelf == [.video])
    #expect(try run.member?.isReady == true)
    #expect(run.muted == [.video])
  }

  @Test func `a join that is carried out long after the box gave up does not drive the box out`() throws {
    let key = try #require(run.disk?.key)
    try run.cut(passing: .seconds(60))
    run.isCut = false
    try run.crash()
    try run.pass(.seconds(1))
    #expect(run.isJoined)
    // What the process before had sent.
    _ = try run.hub.join(Session.JoinRequest(key: key, name: "Box", kind: .box))
    try run.pass(.seconds(10))
    #expect(run.isJoined)
  }
}
