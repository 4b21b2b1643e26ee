/// Answers requests.
public protocol ControlHandler: Sendable {
  /// Is called on the server's one thread: who waits in here holds up all other clients.
  func handle(_ request: ControlRequest) -> ControlResponse
}
