import HoldfastBroadcasting
import HoldfastLifecycle

/// The session states that interrupt the broadcast, and those in effect.
struct SessionInterruption: Hashable, Sendable {
  private let interruptOn: Set<SessionState>
  private var lasting: Set<SessionState> = []

  init(on states: Set<SessionState>) { interruptOn = states }

  var isInterrupting: Bool { !lasting.isEmpty }

  mutating func update(_ state: SessionState, isActive: Bool) -> Lifecycle.Event? {
    guard interruptOn.contains(state) else { return nil }
    let before = isInterrupting
    if isActive {
      lasting.insert(state)
    } else {
      lasting.remove(state)
    }
    guard isInterrupting != before else { return nil }
    return isInterrupting ? .interruptionBegan(.system) : .interruptionEnded(.system)
  }
}
