internal import HoldfastBroadcasting
internal import HoldfastLifecycle

/// Which states of the session interrupt the broadcast, and which of them last.
struct SessionInterruption: Hashable, Sendable {
  private let interruptOn: Set<SessionState>
  private var lasting: Set<SessionState> = []

  init(on states: Set<SessionState>) {
    interruptOn = states
  }

  var isInterrupting: Bool { !lasting.isEmpty }

  /// What that means to the broadcast; nil where it changes nothing.
  mutating func learn(_ state: SessionState, isSo: Bool) -> Lifecycle.Event? {
    guard interruptOn.contains(state) else { return nil }
    let before = isInterrupting
    if isSo {
      lasting.insert(state)
    } else {
      lasting.remove(state)
    }
    guard isInterrupting != before else { return nil }
    return isInterrupting ? .interruptionBegan(.system) : .interruptionEnded(.system)
  }
}
