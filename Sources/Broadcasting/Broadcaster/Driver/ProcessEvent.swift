package import HoldfastLifecycle
package import HoldfastMediaModel
package import HoldfastMediaSources
package import HoldfastPublishing

/// Events of a `ProcessDriver`. Numbers are those of the answered requests.
package enum ProcessEvent: Sendable {
  case lifecycle(Lifecycle.Event)
  /// Ignored after `until`, when the caller no longer waits.
  case request(ProcessRequest, until: MonotonicTime)
  /// For a `sleep`, or for the user. `atRest` is called once nothing is open or being written, unless the
  /// foreground returns first.
  case background(isSleep: Bool, atRest: @Sendable () -> Void)
  case shutdown(isNear: Bool)
  case opened(Int, OpenTracks)
  case failed(Int, CaptureError)
  case closed
  case source(FeedEvent)
  /// The error if nothing has changed.
  case switched(ChangeError?)
  case broadcast(BroadcastNumber, BroadcastAnswer)
  case gateBegan(Int)
  case gateAnswered(Int, GateError?)
  case changed(BroadcastEvent)
  case configured(Configuration)
  case send(CustomEvent)
  /// Nil: nowhere.
  case moved(SessionOutput, to: OutputAddress?)
}

package enum ProcessRequest: Sendable {
  case command(Lifecycle.Command, by: String?, answer: @Sendable (Lifecycle.CommandResult) -> Void)
  case ready(ReadyAnswer, answer: @Sendable (ReadyResult) -> Void)
  /// Repeating a `request` has no effect.
  case extend(by: MediaTime, request: String, answer: @Sendable (ExtensionAnswer) -> Void)
  case switchSource(SourceChange, answer: SourceSwitches.Answer)
}
