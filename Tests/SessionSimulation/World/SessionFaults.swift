import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import TestVirtualTime

/// What happens to the world in a storm, and how it ends.
final class SessionFaults {
  private unowned let cast: Cast
  private var stormUntil: Int64 = 0
  /// Counts storms: what was to end by itself, the calm has ended.
  private var storm = 0

  init(_ cast: Cast) { self.cast = cast }

  private var world: SessionWorld { cast.world }

  func storm(until end: Int64) {
    stormUntil = end
    storm += 1
    cast.isCalm = false
    strike(storm)
  }

  private func strike(_ number: Int) {
    let every = world.settings.faultEvery
    world.after(world.randomness.time(every / 8, every * 2)) { [self] in
      guard storm == number, world.now < stormUntil else { return }
      cast.monitor.count { $0.faults += 1 }
      // The more members there are, the more of the faults are theirs.
      let members = min(90, 40 + cast.sessions.count)
      if world.randomness.below(100) < members { strikeMember() } else { strikeHubs() }
      strike(number)
    }
  }

  /// Ends by itself, unless the storm ends first.
  private func heal(after time: Int64, _ act: @escaping () -> Void) {
    let number = storm
    world.after(time) { [self] in if storm == number, !cast.isCalm { act() } }
  }

  // MARK: - Members

  private func strikeMember() {
    let box = world.randomness.pick(cast.boxes)
    switch world.randomness.below(20) {
    case 0..<6: cut(box, for: world.randomness.length(.s(1), .minutes(10)))
    case 6..<10: box.crash(for: world.randomness.length(.ms(100), .minutes(2)))
    case 10..<12: box.breakStream()
    case 12: if world.randomness.chance(50) { box.endBroadcast() } else { box.leave() }
    case 13, 14: copy(box)
    case 15: box.handle(.networkChanged)
    case 16, 17:
      let person = world.randomness.pick(cast.persons)
      cut(person, for: world.randomness.length(.s(1), .minutes(3)))
    case 18: world.randomness.pick(cast.persons).reload()
    // A place loses its network, with all that is in it.
    default:
      let time = world.randomness.length(.s(1), .minutes(3))
      let session = world.randomness.pick(cast.sessions)
      for box in session.boxes where world.randomness.chance(60) { cut(box, for: time) }
      for person in session.persons where world.randomness.chance(60) { cut(person, for: time) }
    }
  }

  private func cut(_ endpoint: Endpoint, for time: Int64) {
    guard !endpoint.isCut else { return }
    world.note("the network of \(endpoint.number) is gone for \(time.shown)")
    endpoint.cut()
    heal(after: time) { [self] in
      endpoint.mend()
      if world.randomness.chance(50), let box = endpoint as? SimulatedBox { box.handle(.networkChanged) }
    }
  }

  private func copy(_ box: SimulatedBox) {
    let others = box.session.boxes.filter { $0 !== box && $0.isRunning && $0.disk?.verdict == nil }
    guard !others.isEmpty, box.isRunning, box.credential.mayBeHost == false else { return }
    let other = world.randomness.pick(others)
    guard !other.credential.mayBeHost else { return }
    box.takeOver(other)
  }

  // MARK: - Hubs and the store

  private func strikeHubs() {
    let hub = world.randomness.pick(cast.hubs)
    switch world.randomness.below(22) {
    case 0..<4:
      hub.kill()
      heal(after: world.randomness.length(.ms(500), .minutes(2))) { hub.start() }
    case 4:
      hub.stop()
      heal(after: world.randomness.length(.s(2), .s(30))) { hub.start() }
    case 5..<8: hub.freeze(for: world.randomness.length(.ms(200), .s(30)))
    case 8..<11:
      world.note("hub \(hub.index) can't reach the store")
      hub.set(isCutOff: true)
      heal(after: world.randomness.length(.ms(100), .minutes(3))) { [self] in reach(hub) }
    case 11..<13:
      hub.lossOneIn = 3 + world.randomness.below(20)
      heal(after: world.randomness.length(.s(1), .s(60))) { hub.lossOneIn = 0 }
    case 13, 14:
      world.note("the store is away")
      cast.set(storeIsUp: false)
      heal(after: world.randomness.length(.ms(100), .minutes(10))) { [self] in cast.set(storeIsUp: true) }
    case 15:
      cast.store.latency = world.randomness.length(.ms(30), .s(2))
      heal(after: world.randomness.length(.s(1), .s(30))) { [self] in cast.store.latency = .ms(1) }
    case 16, 17: failOver()
    case 18:
      let step = world.randomness.time(-.ms(900), .ms(900))
      world.note("the store's clock jumps by \(step.shown)")
      cast.store.jump(by: step)
    case 19:
      for hub in cast.hubs { hub.kill() }
      heal(after: world.randomness.length(.s(1), .minutes(2))) { [self] in
        for hub in cast.hubs { hub.start() }
      }
    default:
      cast.lossOneIn = 4 + world.randomness.below(40)
      heal(after: world.randomness.length(.s(1), .s(60))) { [self] in cast.lossOneIn = 0 }
    }
  }

  private func reach(_ hub: HubNode) {
    hub.set(isCutOff: false)
    hub.follow(soon: false)
  }

  /// To a replica that lacks the last writes, or to an empty store.
  private func failOver() {
    let isEmpty = world.randomness.chance(15)
    cast.store.replicate()
    heal(after: world.randomness.length(.ms(1), .s(3))) { [self] in
      world.note("the store fails over\(isEmpty ? ", and is empty" : "")")
      cast.store.failOver(isEmpty: isEmpty)
      cast.monitor.failedOver()
    }
  }

  // MARK: - Calm

  func calm() {
    world.note("from now on nothing bad happens")
    cast.isCalm = true
    cast.lossOneIn = 0
    cast.store.latency = .ms(1)
    cast.set(storeIsUp: true)
    for hub in cast.hubs {
      hub.thaw()
      hub.lossOneIn = 0
      hub.start()
      reach(hub)
    }
    for endpoint in cast.endpoints { endpoint.mend() }
    for box in cast.boxes { box.restart() }
    // Doors are opened once the last lost requests have come.
    for delay in [Int64.s(1), .s(35)] {
      world.after(delay) { [self] in for session in cast.sessions { open(session) } }
    }
    for delay in stride(from: Int64.s(100), to: world.settings.calm, by: 20_000_000_000) {
      world.after(delay) { [self] in if cast.isCalm { Health(cast).check() } }
    }
  }

  private func open(_ session: SimulatedSession) {
    guard let hub = cast.hubs.first(where: \.isWell) else { return }
    for command: Session.Command in [.unlock, .limit(nil)] { hub.act(.command(command), in: session) }
    hub.act(.password(nil), in: session)
    for removal in cast.monitor.truth(of: session.name).session?.meeting?.removed ?? [] {
      hub.act(.command(.readmit(removal.id)), in: session)
    }
  }
}
