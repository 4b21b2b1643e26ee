import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestRandomness
import TestStores
import Testing

/// Hubs on a store that loses answers, repeats requests and forgets.
@Suite struct FaultTests {
  private static let host = Session.Caller.host("anna")

  /// Repeats a command with one id until it is answered.
  private static func insist(
    _ store: inout FaultyStore, _ command: Session.Command, id: String,
    by caller: Session.Caller = FaultTests.host
  ) throws -> CommandAnswer {
    let request = StoreRequest(sender: "anna", id: id, command: "\(command)")
    while true {
      do throws(StoreError) {
        return try store.perform(in: .hall, by: caller, request: request) { _ in command }
      } catch {
        continue
      }
    }
  }

  @Test func `a command whose answer was lost is done once`() throws {
    var store = FaultyStore()
    _ = try Self.insist(&store, .join(Session.Join("anna", 1, .person)), id: "join")
    _ = try Self.insist(&store, .limit(.seconds(600)), id: "limit")
    store.next = [nil, .answerLost]
    let answer = try Self.insist(&store, .extend(.seconds(60), request: "1"), id: "extend")
    #expect(answer == .done("timer"))
    #expect(try store.load(.hall, asking: nil).session.meeting?.timer.length == .seconds(660))
  }

  @Test func `a leave whose answer was lost is a leave, not a lost lease`() throws {
    var store = FaultyStore()
    let join = try Session.Join("anna", 1, .person)
    _ = try Self.insist(&store, .join(join), id: "join")
    let lease = try #require(try store.load(.hall, asking: nil).session.meeting?[join.id]?.lease)
    store.next = [nil, .answerLost]
    let answer = try Self.insist(&store, .leave, id: "leave", by: .member(join.id, lease))
    #expect(answer == .done("left hostChanged"))
  }

  @Test func `a request that comes twice is done once`() throws {
    var store = FaultyStore()
    _ = try Self.insist(&store, .join(Session.Join("anna", 1, .person)), id: "join")
    store.next = [nil, .cameTwice]
    #expect(try Self.insist(&store, .lock, id: "lock") == .done("locked"))
    // Without an id the repeat is a conflict with itself, and has nothing to do any more.
    store.next = [nil, .cameTwice]
    let answer = try store.perform(in: .hall, by: Self.host) { _ in .unlock }
    #expect(answer == .done(""))
    #expect(try store.load(.hall, asking: nil).session.meeting?.isLocked == false)
  }

  @Test func `two hubs that create one session make one`() throws {
    var store = MemoryStore()
    let (anna, max) = (try Session.Join("anna", 1, .person), try Session.Join("max", 2, .person))
    // Both have seen that there is none.
    let late = try StoreCommit(store.load(.hall, asking: nil), .join(anna), by: Self.host)
    _ = try store.perform(in: .hall, by: .host("max")) { _ in .join(max) }
    #expect(try store.commit(late) == .conflict)
    _ = try store.perform(in: .hall, by: Self.host) { _ in .join(anna) }
    let meeting = try store.load(.hall, asking: nil).session.meeting
    #expect(meeting?.members.map(\.id) == [max.id, anna.id])
    #expect(meeting?.hostID == max.id)
  }

  @Test func `one hub's empty view ends nobody's session`() throws {
    var store = MemoryStore()
    let join = try Session.Join("anna", 1, .person)
    _ = try store.perform(in: .hall, by: Self.host) { _ in .join(join) }
    let lease = try #require(try store.load(.hall, asking: nil).session.meeting?[join.id]?.lease)
    // A hub that has loaded before the beats, and commits after them.
    store.pass(.seconds(25))
    let seen = try store.load(.hall, asking: nil)
    var session = seen.session
    let longAgo = WallTime(nanoseconds: seen.now.nanoseconds - 3_600_000_000_000)
    let events = session.advance(to: seen.now, Session.Presence(beats: seen.beats, contactSince: longAgo))
    #expect(events.contains { $0.name == "left" })
    _ = try store.beat(lease, statistics: nil, in: .hall)
    let stale = StoreCommit(seen, becomes: session, events: events, due: nil)
    #expect(try store.commit(stale) == .renewed(lease))
    #expect(try store.advance(.hall, contactSince: longAgo) == [])
    #expect(try store.load(.hall, asking: nil).session.meeting?.present.count == 1)
  }

  @Test func `a write that a failover forgot is not there, and its writer's lease is over`() throws {
    var store = FaultyStore()
    let join = try Session.Join("anna", 1, .person)
    _ = try Self.insist(&store, .join(join), id: "join")
    let lease = try #require(try store.load(.hall, asking: nil).session.meeting?[join.id]?.lease)
    _ = try Self.insist(&store, .lock, id: "lock")
    store.failOver(forgetting: 1)
    #expect(try store.load(.hall, asking: nil).session.meeting?.isLocked == false)
    let answer = try store.perform(in: .hall, by: .member(join.id, lease)) { _ in .lockScreens }
    #expect(answer == .refused(.leaseOver))
  }

  @Test(arguments: [0, 20])
  func `a failover lifts what others muted only of who had no hub for a lease`(seconds: Int64) throws {
    var store = FaultyStore()
    let join = try Session.Join("max", 2, .person)
    let max = Session.Caller.token(Session.Credential(.participant, token: "max"))
    _ = try Self.insist(&store, .join(Session.Join("anna", 1, .person)), id: "anna")
    _ = try Self.insist(&store, .join(join), id: "max", by: max)
    _ = try Self.insist(&store, .mute(join.id, [.audio]), id: "mute")
    store.pass(.seconds(10))
    let lease = try #require(try store.load(.hall, asking: nil).session.meeting?[join.id]?.lease)
    #expect(try store.beat(lease, statistics: nil, in: .hall) != nil)
    store.pass(.seconds(seconds))
    store.failOver(forgetting: 0)
    _ = try store.perform(in: .hall, by: max) { loaded in
      var join = join
      join.lifted = [.audio]
      join.lastBeat = loaded.lastBeat(ofKey: "max", token: "max")
      return .join(join)
    }
    let muted = try store.load(.hall, asking: nil).session.meeting?[join.id]?.mute.byOthers
    #expect(muted == (seconds == 0 ? [.audio] : []))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `whatever is lost, each extension counts once`(seed: UInt64) throws {
    var store = FaultyStore(seed: seed)
    _ = try Self.insist(&store, .join(Session.Join("anna", 1, .person)), id: "join")
    _ = try Self.insist(&store, .limit(.seconds(600)), id: "limit")
    store.faultsOneIn = 3
    store.allowed = [.requestLost, .answerLost, .cameTwice]
    for number in 1...20 {
      _ = try Self.insist(&store, .extend(.seconds(10), request: "\(number)"), id: "extend \(number)")
    }
    store.faultsOneIn = 0
    #expect(try store.load(.hall, asking: nil).session.meeting?.timer.length == .seconds(800))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `readers see one order, through every failover`(seed: UInt64) throws {
    var store = FaultyStore(seed: seed)
    var choice = SplitMix64(seed: seed)
    var readers = [Reader(), Reader(), Reader()]
    store.faultsOneIn = 8
    for step in 0..<200 {
      store.pass(.milliseconds(700))
      let join = Session.Command.join(try Session.Join("anna", 1, .person))
      let commands: [Session.Command] = [join, .lock, .unlock, .lockScreens, .unlockScreens]
      let command = step == 0 ? join : commands.randomElement(using: &choice) ?? .lock
      _ = try? store.perform(in: .hall, by: Self.host) { _ in command }
      for index in readers.indices where Bool.random(using: &choice) {
        try? readers[index].read(&store, .hall)
      }
    }
    store.faultsOneIn = 0
    for index in readers.indices { try readers[index].read(&store, .hall) }
    let seen = Reader.merged(readers)
    #expect(seen.conflicts == 0)
    #expect(seen.events > 20)
  }

  /// Follows a session's events as a page does.
  private struct Reader {
    private var last: EventID?
    private var seen: [EventID: String] = [:]

    mutating func read(_ store: inout FaultyStore, _ name: Session.Name) throws {
      guard let from = last, case .events(let events) = try store.read(name, after: from) else {
        last = try store.load(name, asking: nil).lastEvent
        return
      }
      for event in events { seen[event.id] = event.json }
      last = events.last?.id ?? from
    }

    /// How many events there were, and how many were seen as two different ones.
    static func merged(_ readers: [Reader]) -> (events: Int, conflicts: Int) {
      var all: [EventID: Set<String>] = [:]
      for reader in readers { for (id, json) in reader.seen { all[id, default: []].insert(json) } }
      return (all.count, all.values.filter { $0.count > 1 }.count)
    }
  }
}
