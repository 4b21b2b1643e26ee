import HoldfastMembership
import HoldfastPlatform
import HoldfastSession
import HoldfastSessionClient

/// What has become of a member so far, and who is told.
final class MemberProgress: Sendable {
  private let streams = EventStreams<SessionEvent>()
  private let current = Locked(Current())
  private struct Current: Sendable {
    var state = SessionMember.State.idle
    /// In the session, though the hub may be away.
    var place: SessionMember.State?
  }

  private let entry = Promise<SessionMember.State>()

  var state: SessionMember.State { current.withLock { $0.state } }

  func events() -> AsyncStream<SessionEvent> { streams.new() }

  /// False if it has begun before.
  func begin() -> Bool {
    current.withLock { current in
      guard current.state == .idle else { return false }
      current.state = .joining
      return true
    }
  }

  /// Blocks until the first attempt to join has a result.
  func verdict() -> SessionMember.State { entry.take() ?? .left }

  /// The end, unless there was another one before.
  func finish(as last: SessionMember.State) {
    current.withLock { if !$0.state.isLast { $0.state = last } }
    entry.fulfil(last)
    streams.finish()
  }

  func take(_ report: PersonLink.Report) {
    switch report {
    case .membership(let report): take(report)
    case .state(let json):
      if let state = SessionState(json) { tell(.state(state)) }
    case .event(let event):
      tell(SessionEvent.Kind(event), id: event.id.map { "\($0)" })
    }
  }

  private func tell(_ kind: SessionEvent.Kind, id: String? = nil) {
    // Who reads too slowly loses the oldest.
    _ = streams.yield(SessionEvent(kind, id: id))
  }

  private func take(_ report: MembershipReport) {
    let new = current.withLock { current -> SessionMember.State? in
      guard let new = SessionMember.State(report, in: current.place) else { return nil }
      if case .joined = new { current.place = new }
      current.state = new
      return new
    }
    guard let new else { return }
    tell(.membership(new))
    if new.isLast { streams.finish() }
    entry.fulfil(new)
  }
}

extension SessionMember.State {
  /// Nil if the report changes nothing of it. `place` is what the member has been in the session.
  fileprivate init?(_ report: MembershipReport, in place: Self?) {
    switch report {
    case .joined(let id, let role): self = .joined(id: id.text, SessionState.Role(as: role))
    case .roleChanged(let role):
      guard case .joined(let id, _) = place else { return nil }
      self = .joined(id: id, SessionState.Role(as: role))
    case .hubBack:
      guard let place else { return nil }
      self = place
    case .waiting(let obstacle): self = .waiting(SessionError(obstacle))
    case .superseded: self = .superseded
    case .over(let reason): self = .over(reason.map { SessionEvent.Ending(as: $0) })
    case .left: self = .left
    case .mutedByOthers, .unmuteAsked, .mayUnmute, .endsAt, .othersReady, .answered: return nil
    }
  }
}
