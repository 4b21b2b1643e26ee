import Foundation
import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestRandomness
import TestStores
import TestTraits
import Testing

@testable import HoldfastMembership

/// Random lives of a box, its hub, its network and the other members.
@Suite(.computing) struct RandomBoxTests {
  private struct Life {
    var run: BoxRun
    var choice: SplitMix64
    var orders = 0
    var steps: [String] = []

    init(seed: UInt64) throws {
      run = try BoxRun(seed: seed) { $0.allowsUnmute = seed % 3 == 0 }
      choice = SplitMix64(seed: seed &+ 7)
      try run.hub.enter("host")
      run.keepHost = true
      run.faultsOneIn = [0, 20, 6, 3][Int(seed % 4)]
    }

    mutating func step() throws {
      let number = Int.random(in: 0..<26, using: &choice)
      steps.append("\(number) at \(run.now.nanoseconds / 1_000_000) ms")
      let tracks: Set<TrackKind> =
        [[.audio], [.video], [.audio, .video]].randomElement(using: &choice) ?? []
      orders += 1
      switch number {
      case 0: try run.become(Session.Member.Condition.allCases.randomElement(using: &choice) ?? .live)
      case 1: try run.handle(.ordered(.mute(tracks), id: "\(orders)"))
      case 2: try run.handle(.ordered(.unmute(tracks), id: "\(orders)"))
      case 3: try run.handle(.ordered(.answer(Bool.random(using: &choice)), id: "\(orders)"))
      case 4: try run.handle(.ordered(.rename(Session.DisplayName("Box \(orders)")), id: "\(orders)"))
      case 5: try run.handle(.sourcesOpened)
      case 6: try act { .mute($0, tracks) }
      case 7: try act { .unmute($0, tracks) }
      case 8: try act { _ in .muteAll(tracks) }
      case 9: try act { .manager($0) }
      case 10: try act { .revoke($0) }
      case 11: if Int.random(in: 0..<4, using: &choice) == 0 { try act { .remove($0) } }
      case 12: try readmit()
      case 13: run.cut()
      case 14, 15: run.isCut = false
      case 16: run.breakStream()
      case 17: try run.crash()
      case 18: run.hub.storeIsAway.toggle()
      case 19: try failOver()
      case 20: try run.handle(.networkChanged)
      case 21: try run.showScreen(Bool.random(using: &choice))
      case 22: try share(Bool.random(using: &choice))
      case 23: try act { _ in .lockScreens }
      case 24: try act { _ in .unlockScreens }
      default: try run.pass(.seconds(Int64.random(in: 20...90, using: &choice)))
      }
      try run.pass(.milliseconds(Int64.random(in: 0...3000, using: &choice)))
    }

    /// To a store that has forgotten nothing, or everything.
    private mutating func failOver() throws {
      guard Int.random(in: 0..<3, using: &choice) == 0 else { return }
      if Bool.random(using: &choice) { return run.hub.store.failOver() }
      run.hub.store.failOver(to: MemoryStore())
    }

    private mutating func act(_ command: (Session.Member.ID) -> Session.Command) throws {
      guard let id = try run.member?.id else { return }
      try run.hub.act(command(id))
    }

    /// Where the box's own user asks for it from elsewhere.
    private mutating func share(_ shares: Bool) throws {
      guard let id = try run.member?.id else { return }
      try run.hub.act(shares ? .share : .unshare, as: TestHub.participant, for: id)
    }

    private mutating func readmit() throws {
      for removal in try run.hub.session().meeting?.removed ?? [] { try run.hub.act(.readmit(removal.id)) }
    }

    /// Everything works again; a host is there.
    mutating func calmDown() throws {
      run.isCut = false
      run.hub.storeIsAway = false
      run.faultsOneIn = 0
      try readmit()
      // Until requests that were late have come, the host is there, and a removed box has asked again.
      try run.pass(.seconds(5))
      try run.hub.enter("host")
      try run.pass(.seconds(60))
    }

    /// What is wrong once all is calm.
    func findings() throws -> [String] {
      var findings = run.problems
      func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) {
        if !isTrue { findings.append(what()) }
      }
      expect(run.machine.snapshot.state == "joined", "the state is \(run.machine.state)")
      expect(!run.hasEnded, "the broadcast was ended")
      let mine = try run.hub.session().meeting?.members.filter { $0.identity.token == "box" } ?? []
      expect(mine.count == 1, "\(mine.count) members are the box")
      guard let member = mine.first, let lease = member.lease else { return findings + ["it is not in"] }
      guard case .joined(let joined) = run.machine.state else { return findings }
      expect(joined.place.lease == "\(member.id):\(lease)", "it has the lease \(joined.place.lease)")
      expect(run.muted == member.mute.muted, "\(run.muted) is muted where \(member.mute) is wanted")
      expect(run.muted == member.reported.muted, "\(member.reported.muted) is said to be muted")
      expect(run.condition == member.reported.condition, "\(member.reported.condition) is said")
      expect(
        run.isScreenShown == member.sharesScreen,
        "the screen is \(run.isScreenShown ? "shown" : "hidden"), but not in the session")
      expect(run.machine.orders.entries.isEmpty, "\(run.machine.orders.entries) is not answered")
      expect(!run.machine.isReady || member.isReady, "ready was not said")
      let role = try run.hub.session().meeting?.role(of: member)
      expect(run.machine.role == role, "it is \(role.map { "\($0)" } ?? "nothing")")
      expect(run.disk?.lease == joined.place.lease, "the lease is not on the disk")
      expect(run.output?.contains(member.id.text) == true, "the output is \(run.output ?? "closed")")
      return findings
    }
  }

  private static let lives = UInt64(LongTests.count(25, long: 1000))

  /// `SEED=7` repeats one life; `LIVES=1000` makes more of them.
  @Test func `whatever happens, all meets again once it is over`() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["SEED"].flatMap { UInt64($0) }
    let lives = environment["LIVES"].flatMap { UInt64($0) } ?? Self.lives
    for number in seed.map({ $0...$0 }) ?? 0...lives {
      let (findings, steps) = try Self.live(seed: number)
      guard findings.isEmpty else {
        Issue.record("SEED=\(number): \(findings)\n\(steps)")
        return
      }
    }
  }

  private static func live(seed: UInt64) throws -> (findings: [String], steps: [String]) {
    var life = try Life(seed: seed)
    try life.run.handle(.started)
    for _ in 0..<60 {
      try life.step()
      if !life.run.problems.isEmpty { return (life.run.problems, life.steps) }
    }
    let seconds = Int(life.run.now.nanoseconds / 1_000_000_000)
    let requests = life.run.takeRequests().count
    // Each step may cost a few at once; else there is one in about four seconds, and streams.
    guard requests <= 60 * 8 + seconds else { return (["\(requests) requests in \(seconds) s"], life.steps) }
    try life.calmDown()
    return (try life.findings(), life.steps)
  }

  @Test func `boxes that lose their hub in one moment come back over several seconds`() throws {
    var first: [Int64] = []
    for seed in 0..<200 as Range<UInt64> {
      var machine = try BoxRun(seed: seed) { _ in }
      machine.isCut = true
      try machine.handle(.started, passing: .milliseconds(10))
      guard let next = machine.machine.nextDeadline else { continue }
      first.append(next.nanoseconds / 1_000_000_000)
    }
    #expect(Set(first) == [1, 2, 3, 4, 5] || Set(first) == [1, 2, 3, 4])
    for second in 1...4 { #expect((25...80).contains(first.filter { $0 == second }.count)) }
  }
}
