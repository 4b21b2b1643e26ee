import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestVirtualTime

/// The one store, and what is wrong with it.
final class StoreNode {
  private unowned let world: SessionWorld
  private var memory = MemoryStore()
  private var setAt: Int64 = 0
  private(set) var isUp = true
  /// How long a verb takes, there and back.
  var latency: Int64 = .ms(1)
  /// A replica as it was some time ago.
  private var replica: MemoryStore?
  /// The last instant at which a hub that is up could not have reached it.
  private(set) var lastFailover: Int64 = -.hours(1)
  private(set) var failovers = 0

  init(_ world: SessionWorld) { self.world = world }

  var epoch: UInt64 { memory.epoch.number }
  var clock: WallTime {
    settle()
    return memory.now
  }

  /// Lets the store's clock catch up with the world's.
  private func settle() {
    guard world.now > setAt else { return }
    memory.pass(MediaTime(nanoseconds: world.now - setAt))
    setAt = world.now
  }

  func with<Answer>(_ verb: (inout MemoryStore) throws(StoreError) -> Answer) throws(StoreError) -> Answer {
    settle()
    return try verb(&memory)
  }

  /// As it is, for whoever checks.
  func session(_ name: Session.Name) -> LoadedSession? {
    settle()
    return try? memory.load(name, asking: nil)
  }

  func set(isUp: Bool) { self.isUp = isUp }

  func jump(by time: Int64) {
    settle()
    memory.pass(MediaTime(nanoseconds: time))
  }

  /// What the replica has is what was written until now.
  func replicate() { replica = memory }

  /// Goes on from the replica, or from nothing.
  func failOver(isEmpty: Bool) {
    settle()
    lastFailover = world.now
    failovers += 1
    let next = isEmpty ? MemoryStore() : replica ?? memory
    replica = nil
    if world.mutation == .keepsEpoch {
      let now = memory.now
      memory = next
      memory.pass(now - memory.now)
    } else {
      memory.failOver(to: next)
    }
  }
}
