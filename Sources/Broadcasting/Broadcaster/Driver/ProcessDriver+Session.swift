import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastRecording

/// The session's time: extended on request, journaled, and the end of the broadcast when it is over.
extension ProcessDriver {
  mutating func advanceSession(_ event: SessionTimer.Event) {
    perform(session.handle(event, at: now.sinceBoot))
  }

  mutating func extend(by more: MediaTime, request: String) -> ExtensionAnswer {
    let (result, actions) = session.extend(by: more, request: request, at: now.sinceBoot)
    perform(actions)
    return ExtensionAnswer(result: result, status: TimerStatus(session, at: now.sinceBoot, wall: now.wall))
  }

  private mutating func perform(_ actions: [SessionTimer.Action]) {
    status.session = session
    for action in actions {
      switch action {
      case .report(let change):
        report(.timer(change, TimerStatus(session, at: now.sinceBoot, wall: now.wall)))
      case .keep: writeSession()
      case .end: handle(.sessionExpired)
      }
    }
  }

  /// Journals the session for crash recovery.
  private mutating func writeSession() {
    guard let length = session.length, let startedAt = session.startedAt else { return }
    write(
      .session(
        JournaledSession(
          elapsed: now.sinceBoot - startedAt, uncounted: session.uncounted, length: length,
          requests: session.requests)))
  }
}
