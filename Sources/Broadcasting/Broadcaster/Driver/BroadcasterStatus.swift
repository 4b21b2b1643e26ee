package import HoldfastLifecycle

package struct BroadcasterStatus: Sendable {
  var choices: SourceChoices
  package var state = Lifecycle.State.idle
  package var broadcast: String?
  package var session = SessionTimer()
  package var gate = GateStatus()
  /// Why the last broadcast failed or did not begin.
  package var failure: BroadcastError?
}
