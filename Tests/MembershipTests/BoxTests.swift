import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestStores
import Testing

@testable import HoldfastMembership

/// A box and a hub over virtual time, one thing at a time.
@Suite final class BoxTests {
  private var run: BoxRun

  init() throws { run = try BoxRun.joined() }

  // MARK: - Joining

  @Test func `a box waits for the session, and is in once it is there`() throws {
    run = try BoxRun()
    try run.handle(.started, passing: .seconds(60))
    #expect(run.machine.snapshot.state == "absent")
    #expect((4...20).contains(run.takeRequests().count))
    try run.hub.enter("host")
    try run.pass(.seconds(16))
    #expect(run.machine.snapshot.state == "joined")
    #expect(run.output?.hasPrefix("rtmp://media/live/") == true)
    #expect(run.takeReports().filter { $0.name == "session" }.count == 2)
  }

  @Test func `a hub that can't be reached is told of once, and asked at most 20 times in 3 minutes`() throws {
    run = try BoxRun()
    run.isCut = true
    try run.handle(.started, passing: .seconds(180))
    #expect(run.takeReports() == [.waiting(.hubAway(.unreachable("lost")))])
    #expect((12...25).contains(run.takeRequests().count))
    #expect(!run.hasEnded)
  }

  @Test func `a password is asked for, wrong ones are slowed down, and the right one lets in`() throws {
    run = try BoxRun()
    try run.hub.enter("host")
    try run.hub.act(.password(Session.PasswordHash("right")))
    try run.handle(.started, passing: .seconds(1))
    #expect(run.takeRequests().contains(.askPassword(isWrong: false)))
    for number in 1...8 {
      try run.handle(.passwordGiven("wrong \(number)"), passing: .milliseconds(500))
    }
    // The first five at once, then one after 1 s, another after 2 s.
    let joins = run.takeRequests().compactMap(\.join)
    #expect((5...7).contains(joins.count))
    #expect(run.machine.snapshot.state == "passwordNeeded")
    try run.handle(.passwordGiven("right"), passing: .seconds(35))
    #expect(run.isJoined && !run.hasEnded)
  }

  @Test func `the same wrong password of a file is not sent again before half a minute`() throws {
    run = try BoxRun { $0.password = "wrong" }
    try run.hub.enter("host")
    try run.hub.act(.password(Session.PasswordHash("right")))
    try run.handle(.started)
    for _ in 0..<20 {
      try run.pass(.seconds(1))
      try run.handle(.passwordGiven("wrong"))
    }
    #expect(run.takeRequests().compactMap(\.join).count == 1)
    try run.act(.password(Session.PasswordHash("wrong")), passing: .seconds(20))
    #expect(run.isJoined)
  }

  @Test func `a locked session is waited for`() throws {
    run = try BoxRun()
    try run.hub.enter("host")
    try run.hub.act(.lock)
    try run.handle(.started, passing: .seconds(5))
    #expect(run.machine.snapshot.state == "absent")
    try run.act(.unlock, passing: .seconds(16))
    #expect(run.isJoined)
  }

  // MARK: - Beats

  @Test func `a box beats each five seconds, give or take a fifth`() throws {
    try run.pass(.seconds(300))
    let beats = run.takeRequests().count
    #expect((48...75).contains(beats), "\(beats)")
  }

  @Test func `what the box says of itself is there at once`() throws {
    try run.become(.live, passing: .milliseconds(250))
    #expect(try run.member?.reported.condition == .live)
  }

  @Test func `a box that changes its mind all the time beats at most four times a second`() throws {
    for number in 0..<400 {
      try run.become(number % 2 == 0 ? .live : .interrupted, passing: .milliseconds(25))
    }
    #expect(run.takeRequests().count <= 41)
  }

  // MARK: - Mutes

  @Test func `a mute by others is in force within half a second`() throws {
    try run.act(.mute(run.id(), [.audio]), passing: .milliseconds(500))
    #expect(run.muted == [.audio])
    #expect(try run.member?.reported.muted == [.audio])
    #expect(run.takeReports().contains(.mutedByOthers([.audio])))
    try run.act(.unmute(run.id(), [.audio]), passing: .milliseconds(500))
    #expect(run.muted == [])
  }

  @Test func `a mute of all is in force within half a second`() throws {
    try run.act(.muteAll([.audio, .video]), passing: .milliseconds(500))
    #expect(run.muted == [.audio, .video])
  }

  @Test func `a mute on the box is in force before the hub knows of it, and then the hub knows`() throws {
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
    try run.act(.mute(run.id(), [.audio]), passing: .milliseconds(500))
    _ = run.takeReports()
    try run.handle(.ordered(.unmute([.audio]), id: "one"), passing: .milliseconds(500))
    #expect(run.muted == [.audio])
    let refusal = Session.Refusal.mutedByOthers
    let expected = HubRefusal(409, refusal.code, refusal.message, hint: refusal.hint)
    #expect(run.takeReports() == [.answered(.unmute([.audio]), id: "one", .refused(expected))])
  }

  @Test(arguments: [true, false])
  func `a question to unmute is answered by the operator`(agrees: Bool) throws {
    try run.handle(.ordered(.mute([.audio]), id: "one"), passing: .seconds(1))
    try run.act(.unmute(run.id(), [.audio]), passing: .milliseconds(500))
    #expect(run.muted == [.audio])
    #expect(run.takeReports().filter { $0 == .unmuteAsked([.audio]) }.count == 1)
    try run.handle(.ordered(.answer(agrees), id: "two"), passing: .seconds(10))
    #expect(run.muted == (agrees ? [] : [.audio]))
    #expect(run.takeReports() == [.answered(.answer(agrees), id: "two", .done)])
  }

  @Test func `a box that is allowed to unmutes itself when it is asked`() throws {
    run = try BoxRun.joined { $0.allowsUnmute = true }
    try run.handle(.ordered(.mute([.audio]), id: "one"), passing: .seconds(1))
    try run.act(.unmute(run.id(), [.audio]), passing: .milliseconds(700))
    #expect(run.muted == [])
    #expect(try run.member?.mute.bySelf == [])
  }

  // MARK: - The others

  @Test func `others that are ready are counted`() throws {
    let one = Session.Credential(.participant, token: "one")
    let lease = try run.hub.enter("one", one)
    try run.pass(.milliseconds(200))
    try run.hub.command(lease, Session.CommandRequest(.ready))
    try run.pass(.milliseconds(200))
    #expect(run.takeReports() == [.othersReady(1)])
    try run.handle(.sourcesOpened, passing: .milliseconds(500))
    #expect(try run.member?.isReady == true)
    #expect(run.machine.snapshot.othersReady == 1)
    try run.hub.leave(lease)
    try run.pass(.milliseconds(200))
    #expect(run.takeReports().contains(.othersReady(0)))
  }

  @Test func `who was ready before the box came is counted, too`() throws {
    run = try BoxRun()
    let lease = try run.hub.enter("host")
    try run.hub.command(lease, Session.CommandRequest(.ready))
    try run.handle(.started, passing: .seconds(1))
    #expect(run.takeReports().contains(.othersReady(1)))
  }

  @Test func `a new role is reported`() throws {
    try run.act(.manager(run.id()), passing: .milliseconds(500))
    #expect(run.takeReports() == [.roleChanged(.manager)])
    #expect(run.machine.snapshot.role == .manager)
  }

  @Test func `a new address is the same output's`() throws {
    run.hub.ingest = "rtmp://other/live/"
    try run.pass(.seconds(7))
    #expect(run.output?.hasPrefix("rtmp://other/live/") == true)
    run.hub.ingest = nil
    try run.pass(.seconds(7))
    #expect(run.output == nil)
  }

  @Test func `a countdown costs no beats`() throws {
    try run.become(.live, passing: .seconds(5))
    try run.act(.limit(.seconds(70)), passing: .seconds(6))
    _ = run.takeRequests()
    try run.pass(.seconds(50))
    #expect(run.takeRequests().count <= 13)
  }
}
