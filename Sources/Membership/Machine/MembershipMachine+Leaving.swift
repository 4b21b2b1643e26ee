import HoldfastMediaModel
import HoldfastSession

extension MembershipMachine.Leaving {
  var nextDeadline: MonotonicTime {
    switch step {
    case .finishing, .leaving: deadline
    case .waiting(let until, _): min(until, deadline)
    }
  }
}

extension MembershipMachine {
  /// How long a hub is waited for. Without it the lease is over 20 s later.
  private static let leaveTimeout = MediaTime.seconds(3)
  private static let leaveInterval = MediaTime.milliseconds(500)

  mutating func leave(isLast: Bool, _ now: MonotonicTime) {
    let deadline = now + Self.leaveTimeout
    switch state {
    case .joining(let joining):
      guard case .asking(let number) = joining.step else { return depart(isLast: isLast) }
      state = .leaving(Leaving(deadline: deadline, step: .finishing(number, lease: nil), isLast: isLast))
    case .joined(let joined):
      closeStream()
      let lease = joined.place.lease
      let step: Leaving.Step =
        switch joined.channel {
        case .idle: .waiting(until: now, lease: lease)
        case .beating(let number, _), .commanding(let number): .finishing(number, lease: lease)
        }
      state = .leaving(Leaving(deadline: deadline, step: step, isLast: isLast))
    case .leaving(var leaving):
      leaving.isLast = leaving.isLast || isLast
      state = .leaving(leaving)
    case .idle, .superseded, .over, .left:
      if isLast { state = .finished }
    case .finished: break
    }
  }

  mutating func pursue(_ leaving: Leaving, _ now: MonotonicTime) {
    guard now < leaving.deadline else { return depart(isLast: leaving.isLast) }
    guard case .waiting(let until, let lease) = leaving.step, now >= until else { return }
    var leaving = leaving
    let number = nextNumber()
    leaving.step = .leaving(number, lease: lease)
    state = .leaving(leaving)
    actions.append(.send(number, .leave(lease: lease)))
  }

  mutating func finishLeaving(_ number: Int) {
    guard case .leaving(let leaving) = state, case .leaving(number, _) = leaving.step else { return }
    depart(isLast: leaving.isLast)
  }

  mutating func leaveFailed(_ number: Int, _ failure: HubFailure, _ leaving: Leaving, _ now: MonotonicTime) {
    var leaving = leaving
    switch leaving.step {
    // Nothing came of the join.
    case .finishing(number, nil): return depart(isLast: leaving.isLast)
    case .finishing(number, let lease?): leaving.step = .waiting(until: now, lease: lease)
    case .leaving(number, let lease):
      guard failure.remedy == .retry else { return depart(isLast: leaving.isLast) }
      leaving.step = .waiting(until: now + Self.leaveInterval, lease: lease)
    case .finishing, .leaving, .waiting: return
    }
    state = .leaving(leaving)
  }

  /// By wish, not by an accident: a broadcast that goes on after a crash does not join again.
  private mutating func depart(isLast: Bool) {
    goOnAlone()
    record.lease = nil
    if !isLast { record.verdict = .left }
    unpublish()
    state = isLast ? .finished : .left
    actions.append(.report(.left))
  }
}
