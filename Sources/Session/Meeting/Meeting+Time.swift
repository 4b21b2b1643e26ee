import HoldfastLifecycle
import HoldfastMediaModel

/// The session's time is that of a box's own session, by the store's clock.
extension Session.Meeting {
  /// Also before `advance` has noticed.
  func isOver(at now: WallTime) -> Bool { timer.left(at: now.sinceEpoch) == .zero }

  mutating func limit(to length: MediaTime?, at now: WallTime) throws(Session.Refusal) -> [Session.Event] {
    let (refusal, actions) = timer.limit(to: length, at: now.sinceEpoch)
    if let refusal { throw .timer(refusal) }
    return actions.isEmpty ? [] : [report(.limited, at: now)] + events(of: actions, at: now)
  }

  /// The time that is asked for, whatever is left. Requests are remembered as long as the session lasts.
  mutating func extend(
    by more: MediaTime, request: String, of sender: String, at now: WallTime
  ) throws(Session.Refusal) -> [Session.Event] {
    let rule = TextRule(subject: .request, maxCharacters: Session.Limits.idCharacters)
    try rule.check(request)
    let (result, actions) = timer.extend(by: more, request: Self.key(request, of: sender), at: now.sinceEpoch)
    switch result {
    case .extended, .repeated: return events(of: actions, at: now)
    case .refused(let refusal): throw .timer(refusal)
    }
  }

  /// An id has no line end.
  static func key(_ request: String, of sender: String) -> String { "\(request)\n\(sender)" }

  /// The first member that is live starts it; it doesn't stand still afterwards.
  mutating func startTimer(at now: WallTime) -> [Session.Event] {
    guard timer.startedAt == nil else { return [] }
    return events(of: timer.handle(.wentLive, at: now.sinceEpoch), at: now)
  }

  /// Whether the time is over, and what is reported.
  mutating func advanceTimer(to now: WallTime) -> (events: [Session.Event], isOver: Bool) {
    let actions = timer.handle(.timePassed, at: now.sinceEpoch)
    return (events(of: actions, at: now), actions.contains(.end))
  }

  private func events(of actions: [SessionTimer.Action], at now: WallTime) -> [Session.Event] {
    actions.compactMap { action in
      guard case .report(let report) = action else { return nil }
      return Session.TimerState(report).map { self.report($0, at: now) }
    }
  }

  private func report(_ state: Session.TimerState, at now: WallTime) -> Session.Event {
    .timer(timerReport(state, at: now))
  }

  func timerReport(_ state: Session.TimerState, at now: WallTime) -> Session.TimerReport {
    Session.TimerReport(
      state: state, startedAt: timer.startedAt.map(WallTime.init(sinceEpoch:)),
      endsAt: timer.end(at: now.sinceEpoch).map(WallTime.init(sinceEpoch:)),
      left: timer.left(at: now.sinceEpoch))
  }

  var nextTimerCheck: WallTime? {
    guard let startedAt = timer.startedAt else { return nil }
    return timer.nextCheck(after: startedAt).map(WallTime.init(sinceEpoch:))
  }
}

extension WallTime {
  /// The timer's time is a length.
  fileprivate var sinceEpoch: MediaTime { MediaTime(nanoseconds: nanoseconds) }

  fileprivate init(sinceEpoch: MediaTime) { self.init(nanoseconds: sinceEpoch.nanoseconds) }
}
