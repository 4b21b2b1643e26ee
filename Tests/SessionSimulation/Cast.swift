import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import TestVirtualTime

/// Who and what there is in a run.
final class Cast {
  let world: SessionWorld
  let store: StoreNode
  let monitor: Monitor
  private(set) var hubs: [HubNode] = []
  private(set) var sessions: [SimulatedSession] = []
  /// One request in so many between members and hubs meets with a fault; 0 for none.
  var lossOneIn = 0
  /// Between the storms.
  var isCalm = false
  /// Boxes whose session was ended begin a new broadcast for the next one.
  var keepsGoing = true

  init(_ world: SessionWorld) throws {
    self.world = world
    store = StoreNode(world)
    monitor = Monitor(world, store)
    hubs = try (0..<world.settings.hubs).map { index in try HubNode(index, world, store, monitor) }
    monitor.cast = self
    let settings = world.settings
    for number in 0..<settings.sessions {
      let session = SimulatedSession(
        try Session.Name("Hall \(number)"), hasReadingPersons: settings.personsRead)
      sessions.append(session)
      for person in 0..<2 {
        let credential = Session.Credential(person == 0 ? .host : .participant, token: "person \(person)")
        session.persons.append(SimulatedPerson(self, session, number * 2 + person, credential))
      }
    }
    for number in 0..<settings.boxes {
      let session = sessions[number % settings.sessions]
      // The second of each session may be host, too.
      let isSecond = number / settings.sessions == 1
      let credential = Session.Credential(isSecond ? .host : .participant, token: "box \(number)")
      session.boxes.append(SimulatedBox(self, session, number, credential))
    }
  }

  var boxes: [SimulatedBox] { sessions.flatMap(\.boxes) }
  var persons: [SimulatedPerson] { sessions.flatMap(\.persons) }
  var endpoints: [Endpoint] { boxes + persons }

  /// Whether a request may take longer than its sender waits.
  var isSlow: Bool { store.latency > .ms(20) || hubs.contains(where: \.isFrozen) }

  func set(storeIsUp: Bool) {
    store.set(isUp: storeIsUp)
    monitor.reachChanged()
    if storeIsUp { for hub in hubs { hub.follow(soon: false) } }
  }

  func begin() {
    for hub in hubs { hub.start() }
    let spread: Int64 = world.settings.isLarge ? .s(60) : .s(3)
    for person in persons { world.after(world.randomness.time(0, spread)) { person.come() } }
    for box in boxes { world.after(world.randomness.time(0, spread)) { box.begin() } }
    if keepsGoing { keepGoing() }
    act()
  }

  private func keepGoing() {
    world.after(.s(10)) { [self] in
      for box in boxes where box.broadcast == nil && world.randomness.chance(isCalm ? 60 : 30) { box.begin() }
      keepGoing()
    }
  }

  /// Persons do something now and then.
  private func act() {
    let every = world.settings.isLarge ? Int64.ms(100) : .s(max(1, 6 / Int64(world.settings.sessions)))
    world.after(world.randomness.time(every / 2, every * 2)) { [self] in
      if !isCalm { world.randomness.pick(sessions).act(self) }
      act()
    }
  }
}

extension SimulatedSession {
  /// One of the persons gives a command.
  fileprivate func act(_ cast: Cast) {
    let world = cast.world
    let person = persons[world.randomness.chance(80) ? 0 : 1]
    guard person.isJoined, let meeting = cast.monitor.truth(of: name).session?.meeting,
      !meeting.members.isEmpty
    else { return }
    let target = world.randomness.pick(meeting.members).id
    let tracks: Set<TrackKind> = world.randomness.pick([[.audio], [.video], [.audio, .video]])
    let minutes = MediaTime.seconds(60 * Int64(1 + world.randomness.below(20)))
    switch world.randomness.below(64) {
    case 0..<10: person.order(.command(.mute(target, tracks)))
    case 10..<18: person.order(.command(.unmute(target, tracks)))
    case 18..<21: person.order(.command(.muteAll(tracks)))
    case 21..<31: person.makeEvent()
    case 31..<34: person.order(.command(.lock))
    case 34..<37: person.order(.command(.unlock))
    case 37..<39: person.order(.command(world.randomness.chance(50) ? .lockScreens : .unlockScreens))
    case 39..<41: person.order(.command(.remove(target)))
    case 41..<44: for removal in meeting.removed.prefix(1) { person.order(.command(.readmit(removal.id))) }
    case 44..<46: person.order(.command(.host(target)))
    case 46: person.order(.command(.reclaim))
    case 47..<49: person.order(.command(.manager(target)))
    case 49: person.order(.command(.revoke(target)))
    case 50..<52: person.order(.command(.limit(world.randomness.chance(50) ? minutes : nil)))
    case 52..<56: person.extend(by: .seconds(Int64(10 + world.randomness.below(50))))
    case 56: person.order(.password(world.randomness.chance(60) ? "pass \(world.randomness.below(9))" : nil))
    case 57: if world.randomness.chance(20) { person.order(.command(.end)) }
    case 58: if world.randomness.chance(30) { person.order(.command(.leave)) }
    default:
      // Somebody at a box.
      let box = world.randomness.pick(boxes.isEmpty ? [] : boxes)
      box.handle(.ordered(world.randomness.chance(50) ? .mute(tracks) : .unmute(tracks), id: "\(world.now)"))
    }
  }
}
