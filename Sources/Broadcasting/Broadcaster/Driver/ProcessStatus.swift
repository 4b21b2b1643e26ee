package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastRecording

package struct ProcessStatus: Sendable {
  var choices: SourceChoices
  package var state = Lifecycle.State.idle
  /// The end of the last interruption's resume window.
  package var resumableUntil = WallTime(nanoseconds: 0)
  package var broadcast: String?
  /// Since when the user keeps the process off air.
  package var offAir: OffAirRecord?
  /// The same, if it was an earlier process that the user took off air.
  package var returnedOffAir: OffAirRecord?
  package var session = SessionTimer()
  package var gate = GateStatus()
  /// Why the last broadcast failed or did not begin.
  package var failure: BroadcastError?
}
