import HoldfastSession
import HoldfastStores
import TestVirtualTime

@testable import SessionSimulation

/// A world in which only what the test says goes wrong.
final class SessionScene {
  let cast: Cast

  init(boxes: Int = 3, hubs: Int = 3, seed: UInt64 = 1) throws {
    var settings = SessionRun.Settings()
    (settings.sessions, settings.boxes, settings.hubs) = (1, boxes, hubs)
    cast = try Cast(SessionWorld(seed: seed, settings, nil))
    // Nobody gives commands but the test.
    cast.isCalm = true
    cast.keepsGoing = false
    cast.begin()
    pass(.s(30))
  }

  deinit { cast.world.end() }

  var world: SessionWorld { cast.world }
  var hubs: [HubNode] { cast.hubs }
  var session: SimulatedSession { cast.sessions[0] }
  var boxes: [SimulatedBox] { session.boxes }
  /// With a host's token, and with a participant's.
  var anna: SimulatedPerson { session.persons[0] }
  var max: SimulatedPerson { session.persons[1] }
  var meeting: Session.Meeting? { cast.store.session(session.name)?.session.meeting }
  var problem: String? { world.problem }

  func pass(_ time: Int64) { world.run(until: world.now + time) }

  func set(storeIsUp: Bool) { cast.set(storeIsUp: storeIsUp) }

  /// Nil if all is as it should be; else what isn't.
  func fault() -> String? {
    Health(cast).check()
    return problem
  }

  /// How often the role has passed on.
  var hostTerm: UInt64 { meeting?.hostTerm ?? 0 }
}
