package import HoldfastLifecycle
package import HoldfastMediaModel

package struct ProcessStatus: Sendable {
  var choices: SourceChoices
  package var state = Lifecycle.State.idle
  /// The end of the last interruption's resume window.
  package var resumableUntil = WallTime(nanoseconds: 0)
  package var broadcast: String?
  package var session = SessionTimer()
  package var gate = GateStatus()
  /// Why the last broadcast failed or did not begin.
  package var failure: BroadcastError?
}
