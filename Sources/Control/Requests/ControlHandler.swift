/// Answers requests.
package protocol ControlHandler: Sendable {
  /// Is called on the server's one thread: who waits in here holds up all other clients.
  func handle(_ request: ControlRequest) -> ControlOutcome
}

package enum ControlOutcome: Sendable {
  case now(ControlResponse)
  /// It takes a while: this is run on another thread, and others are answered meanwhile.
  case later(@Sendable () -> ControlResponse)
}
