import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import HoldfastStores
import TestTraits
import TestVirtualTime
import Testing

@testable import SessionSimulation

/// What has broken elsewhere, with hubs, a store and boxes.
@Suite(.computing) struct NamedTroubleTests {
  @Test func `two sessions of one name`() throws {
    // Nothing is there, and everybody comes in the same moment through different hubs.
    for seed in 0..<10 as Range<UInt64> {
      let scene = try SessionScene(boxes: 6, seed: seed)
      #expect(scene.meeting?.present.count == 8, "SEED=\(seed)")
      #expect(scene.cast.store.session(try Session.Name("HALL 0"))?.session.meeting?.id == scene.meeting?.id)
      #expect(scene.fault() == nil, "SEED=\(seed)")
    }
  }

  @Test func `one hub's empty view ends everybody's session`() throws {
    let scene = try SessionScene()
    let before = scene.meeting?.present.map(\.id)
    // A hub sees nothing for ten minutes; then it is back, and knows of no beat.
    scene.hubs[0].set(isCutOff: true)
    scene.pass(.minutes(10))
    scene.hubs[0].set(isCutOff: false)
    scene.pass(.minutes(2))
    // Another one has lost its memory, and a third one its time.
    scene.hubs[1].kill()
    scene.hubs[2].freeze(for: .s(30))
    scene.pass(.s(31))
    scene.hubs[1].start()
    scene.pass(.minutes(2))
    #expect(scene.meeting?.present.map(\.id) == before)
    #expect(scene.fault() == nil)
  }

  @Test func `a wrong answer just after a join`() throws {
    let scene = try SessionScene(boxes: 6)
    // The hubs' followers are a while behind, and each request goes to another hub.
    let box = scene.boxes[3]
    for _ in 0..<20 {
      box.crash(for: .ms(200))
      scene.pass(.ms(700))
      box.changeHub()
      scene.pass(.s(2))
      #expect(box.state == "joined")
    }
    #expect(scene.cast.monitor.figures.superseded == 0)
    scene.pass(.s(61))
    #expect(scene.fault() == nil)
  }

  @Test func `the store away for seven minutes`() throws {
    let scene = try SessionScene()
    let before = scene.meeting
    let recorded = scene.boxes.map(\.recorded)
    scene.pass(.s(12))
    scene.set(storeIsUp: false)
    scene.pass(.minutes(7))
    #expect(scene.boxes.allSatisfy { $0.state == "hubAway" && $0.broadcast?.recordsSince != nil })
    scene.set(storeIsUp: true)
    scene.pass(.minutes(2))
    #expect(scene.meeting?.present.compactMap(\.lease) == before?.present.compactMap(\.lease))
    #expect(scene.hostTerm == before?.hostTerm)
    for (box, recorded) in zip(scene.boxes, recorded) {
      #expect(box.recorded == recorded + .minutes(9) + .s(12))
    }
    #expect(scene.fault() == nil)
  }

  @Test func `a hub that stood still while the store was away lets nobody expire`() throws {
    let scene = try SessionScene(hubs: 1)
    let box = scene.boxes[1]
    box.cut()
    scene.pass(.s(14))
    scene.hubs[0].freeze(for: .s(9))
    scene.pass(.s(3))
    scene.set(storeIsUp: false)
    scene.pass(.s(4))
    scene.set(storeIsUp: true)
    scene.pass(.s(5))
    #expect(scene.problem == nil)
    #expect(box.snapshot?.member.flatMap { scene.meeting?[$0] }?.isPresent == true)
  }

  @Test func `a blip makes the wrong person host`() throws {
    let scene = try SessionScene()
    let (host, term) = (scene.anna.member, scene.hostTerm)
    #expect(scene.meeting?.hostID == host)
    // The store is away twice, and the host's network a little longer, in the middle of its absence.
    scene.anna.cut()
    scene.pass(.s(9))
    scene.set(storeIsUp: false)
    scene.pass(.s(30))
    scene.set(storeIsUp: true)
    scene.pass(.s(15))
    scene.set(storeIsUp: false)
    scene.pass(.s(5))
    scene.set(storeIsUp: true)
    scene.pass(.s(5))
    scene.anna.mend()
    scene.pass(.minutes(2))
    #expect(scene.meeting?.hostID == host)
    #expect(scene.hostTerm == term)
    #expect(scene.fault() == nil)
  }

  @Test func `a member whose hub died comes back through another one`() throws {
    let scene = try SessionScene()
    let before = scene.meeting?.present.compactMap(\.lease)
    scene.hubs[0].kill()
    scene.pass(.s(15))
    #expect(scene.boxes.allSatisfy { $0.state == "joined" })
    scene.hubs[1].kill()
    scene.pass(.s(15))
    #expect(scene.boxes.allSatisfy { $0.state == "joined" && $0.stream?.hub.index == 2 })
    // Still by the same lease: nobody had to join again.
    #expect(scene.meeting?.present.compactMap(\.lease) == before)
    scene.pass(.s(61))
    #expect(scene.fault() == nil)
  }

  @Test func `a late writer with an old lease`() throws {
    let scene = try SessionScene()
    let box = scene.boxes[0]
    let old = try #require(box.disk?.lease)
    box.crash(for: .ms(100))
    scene.pass(.s(10))
    let (version, mute) = (scene.cast.store.session(scene.session.name)?.version, Set([TrackKind.audio]))
    for hub in scene.hubs {
      let command = Session.CommandRequest(.mute(nil, mute), requestID: "late \(hub.index)")
      #expect(throws: (any Error).self) { try hub.command(command, lease: old, by: box).get() }
      let beat = Session.BeatRequest(Session.Member.Report())
      #expect(throws: (any Error).self) { try hub.beat(beat, lease: old, by: box).get() }
    }
    #expect(scene.cast.store.session(scene.session.name)?.version == version)
    // Nor after a failover, which it may have missed.
    scene.cast.store.failOver(isEmpty: false)
    scene.cast.monitor.failedOver()
    scene.pass(.s(70))
    for hub in scene.hubs {
      let command = Session.CommandRequest(.mute(nil, mute), requestID: "later \(hub.index)")
      #expect(throws: (any Error).self) { try hub.command(command, lease: old, by: box).get() }
    }
    #expect(scene.fault() == nil)
  }

  /// The session of a box that was off has been ended, and another one of the name has begun.
  private func sceneAfterAnEnd() throws -> (SessionScene, SimulatedBox) {
    let scene = try SessionScene()
    let box = scene.boxes[2]
    box.endBroadcast()
    scene.pass(.s(4))
    scene.anna.order(.command(.end))
    scene.pass(.s(61))
    return (scene, box)
  }

  /// A box that was off when its session was ended comes to the next one of the name, within a day.
  @Test func `a broadcast that begins after the end of the last session goes on`() throws {
    let (scene, box) = try sceneAfterAnEnd()
    #expect(scene.meeting != nil)
    box.begin()
    scene.pass(.s(30))
    #expect(box.state == "joined")
    #expect(box.broadcast?.recordsSince != nil)
  }

  @Test func `a broadcast that begins after the end, and crashes before its first join, goes on`() throws {
    let (scene, box) = try sceneAfterAnEnd()
    box.cut()
    box.begin()
    scene.pass(.s(10))
    box.crash(for: .s(1))
    box.mend()
    scene.pass(.s(30))
    #expect(box.state == "joined")
    #expect(scene.problem == nil)
  }

  @Test func `events seen in different orders`() throws {
    let scene = try SessionScene(boxes: 9)
    for number in 0..<200 {
      scene.anna.makeEvent()
      scene.max.makeEvent()
      scene.boxes[number % 9].handle(
        .ordered(number % 2 == 0 ? .mute([.audio]) : .unmute([.audio]), id: "\(number)"))
      if number % 20 == 7 { scene.hubs[number / 20 % 3].kill() }
      if number % 20 == 13 { for hub in scene.hubs { hub.start() } }
      if number % 30 == 3 { scene.boxes[number % 7].breakStream() }
      scene.pass(.ms(300))
    }
    scene.pass(.s(80))
    #expect(scene.cast.monitor.figures.arrivals > 2000)
    #expect(scene.fault() == nil)
  }
}
