import HoldfastMediaModel
import HoldfastSession

extension MembershipMachine {
  mutating func take(_ order: Order, id: String) {
    switch state {
    case .idle, .joining, .joined, .leaving: queue(order, id: id)
    case .superseded, .over, .left, .finished: takeAlone(order, id: id)
    }
  }

  private mutating func queue(_ order: Order, id: String) {
    for needless in orders.add(order, id: id) {
      actions.append(.report(.answered(needless.order, id: needless.id, .replaced)))
    }
    switch (order, contact) {
    case (.unmute(let tracks), .alone): mutes.lift(tracks)
    case (.rename(let name), _): self.name = name
    case (.mute, _), (.unmute, _), (.answer, _), (.share, _), (.ready, _): break
    }
  }

  private mutating func takeAlone(_ order: Order, id: String) {
    switch order {
    case .mute, .unmute:
      _ = orders.add(order, id: id)
      mutes.goOnAlone(with: orders)
      _ = orders.removeAll()
    case .share, .answer, .rename, .ready: break
    }
    answerAlone(order, id: id)
  }

  /// What becomes of an order out of the session.
  mutating func answerAlone(_ order: Order, id: String) {
    switch order {
    case .mute, .unmute, .share: actions.append(.report(.answered(order, id: id, .done)))
    case .answer, .rename, .ready:
      actions.append(.report(.answered(order, id: id, .refused(.notInSession))))
    }
  }

  /// After each join anew, each time as another request: a join takes it back.
  mutating func sayReady() {
    guard !isReady else { return }
    isReady = true
    switch state {
    case .joined: take(.ready, id: newID())
    case .idle, .joining, .leaving, .superseded, .over, .left, .finished: break
    }
  }

  mutating func commanded(_ number: Int, _ now: MonotonicTime) {
    switch state {
    case .joined(var joined):
      guard joined.channel == .commanding(number) else { return }
      joined.channel = .idle
      heard(&joined, now)
      joined.hurry(now)
      state = .joined(joined)
      guard let entry = orders.removeFirst() else { return }
      mutes.confirm(entry.order)
      if case .share(let shares) = entry.order { screen.isShared = shares }
      actions.append(.report(.answered(entry.order, id: entry.id, .done)))
    case .leaving(var leaving):
      guard case .finishing(number, let lease?) = leaving.step else { return }
      leaving.step = .waiting(until: now, lease: lease)
      state = .leaving(leaving)
    case .idle, .joining, .superseded, .over, .left, .finished: return
    }
  }

  mutating func commandFailed(_ failure: HubFailure, _ joined: Joined, _ now: MonotonicTime) {
    var joined = joined
    joined.channel = .idle
    if failure.answersCommand, case .refused(let refusal) = failure {
      heard(&joined, now)
      joined.hurry(now)
      state = .joined(joined)
      guard let entry = orders.removeFirst() else { return }
      actions.append(.report(.answered(entry.order, id: entry.id, .refused(refusal))))
      if case .share = entry.order { showScreenAsShared() }
      return
    }
    guard let delay = troubled(&joined, failure, now) else { return }
    joined.commandDue = now + delay
    state = .joined(joined)
  }

  mutating func failed(_ number: Int, _ failure: HubFailure, _ now: MonotonicTime) {
    switch state {
    case .joining(let joining):
      guard joining.step == .asking(number) else { return }
      notJoined(failure, joining, now)
    case .joined(let joined):
      switch joined.channel {
      case .beating(number, _): beatFailed(failure, joined, now)
      case .commanding(number): commandFailed(failure, joined, now)
      case .idle, .beating, .commanding: return
      }
    case .leaving(let leaving): leaveFailed(number, failure, leaving, now)
    case .idle, .superseded, .over, .left, .finished: return
    }
  }
}

extension HubRefusal {
  static var notInSession: HubRefusal {
    HubRefusal(409, "notInSession", "the box is not in a session", hint: "join one with --session")
  }
}
