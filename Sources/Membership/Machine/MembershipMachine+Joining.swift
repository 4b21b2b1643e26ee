import HoldfastMediaModel
import HoldfastSession

extension MembershipMachine.Joining {
  var deadline: MonotonicTime? {
    switch step {
    case .waiting(let until): until
    case .asking: nil
    }
  }
}

extension MembershipMachine {
  mutating func pursue(_ joining: Joining, _ now: MonotonicTime) {
    guard case .waiting(let until) = joining.step, now >= until else { return }
    var request = Session.JoinRequest(
      key: record.key, name: name.text, kind: settings.kind, password: password, wants: wants,
      proof: record.proof, lifted: mutes.lifted, requestID: joinID ?? newID())
    joinID = request.requestID
    // Removed: what others had muted is nobody's any more.
    if joining.obstacle == .removed { request.lifted = [] }
    var joining = joining
    let number = nextNumber()
    joining.step = .asking(number)
    joining.password = password
    state = .joining(joining)
    actions.append(.send(number, .join(request)))
  }

  mutating func joined(_ number: Int, _ answer: Session.JoinAnswer, _ now: MonotonicTime) {
    switch state {
    case .joining(let joining):
      guard joining.step == .asking(number) else { return }
      enter(answer, now)
    case .leaving(var leaving):
      guard case .finishing(number, _) = leaving.step else { return }
      leaving.step = .waiting(until: now, lease: answer.place.lease)
      state = .leaving(leaving)
    case .idle, .joined, .superseded, .over, .left, .finished: return
    }
  }

  private mutating func enter(_ answer: Session.JoinAnswer, _ now: MonotonicTime) {
    let own = mutes.own(with: orders)
    let place = answer.place
    state = .joined(
      Joined(
        member: answer.member, place: place, since: now, beatDue: now, commandDue: now,
        stream: .closed(until: now, failures: 0), seen: EventID(place.lastEvent)))
    (joinID, wants) = (nil, settings.wants)
    // A join ends what was shared.
    screen.isShared = false
    record.member = answer.member
    wrongPassword = nil
    record.hasBeenIn = true
    role = place.role
    actions.append(.report(.joined(answer.member, place.role)))
    accept(place, version: nil, now)
    // Whoever is new here, or whom the store has forgotten, says it again.
    let unsaid = own.subtracting(mutes.own(with: orders))
    if !unsaid.isEmpty { take(.mute(unsaid), id: newID()) }
    if isReady { take(.ready, id: newID()) }
    shareScreen()
    noteReady { $0.reset(by: answer.state, without: answer.member) }
  }

  /// Joins with the same key, at once unless that has just been done.
  mutating func joinAgain(_ obstacle: Obstacle?, at time: MonotonicTime) {
    closeStream()
    state = .joining(Joining(step: .waiting(until: time), obstacle: obstacle))
  }

  mutating func notJoined(_ failure: HubFailure, _ joining: Joining, _ now: MonotonicTime) {
    var joining = joining
    joining.failures += 1
    if case .unreachable = failure { lateJoin = now }
    // It was carried out once, and its lease is over already.
    if failure.remedy == .join { joinID = nil }
    let obstacle: Obstacle
    var isNews = false
    var delay = settings.retries.delay(
      afterFailures: joining.failures, retryAfter: failure.retryAfter, using: &randomness)
    switch (failure.remedy, failure) {
    case (.goOnAlone, _): return superseded(now)
    case (.endBroadcast(let reason), _):
      if record.hasBeenIn { return end(reason) }
      // The end of a session that another broadcast was in: this one belongs to the next session of the name.
      record = MembershipRecord(key: Self.randomText(32, using: &randomness))
      joinID = nil
      joining.step = .waiting(until: now + delay)
      state = .joining(joining)
      return
    case (.leaveAndAskAgain, _): return remove(now)
    case (.askPassword(let isWrong), _):
      obstacle = .password(isWrong: isWrong)
      if isWrong, joining.password != wrongPassword {
        wrongPassword = joining.password
        joining.wrongPasswords += 1
        isNews = true
      }
      // Another one was given meanwhile.
      delay =
        password == joining.password
        ? settings.retries.slowDelay(retryAfter: failure.retryAfter, using: &randomness)
        : settings.retries.passwordDelay(afterWrong: joining.wrongPasswords)
    case (.awaitSession, .refused(let refusal)): obstacle = .sessionAway(refusal)
    case (.retrySlowly, .refused(let refusal)) where refusal.status == 422 && wants.contains(.ingestSmall):
      // An older hub, which knows nothing of small pictures.
      wants.remove(.ingestSmall)
      joining.step = .waiting(until: now)
      state = .joining(joining)
      return
    case (.retrySlowly, .refused(let refusal)):
      obstacle = .refused(refusal)
      delay = settings.retries.slowDelay(retryAfter: failure.retryAfter, using: &randomness)
    case (.retry, _), (.join, _), (.awaitSession, _), (.retrySlowly, _): obstacle = Obstacle(failure)
    }
    if isNews || joining.obstacle?.code != obstacle.code { actions.append(.report(.waiting(obstacle))) }
    if case .password(let isWrong) = obstacle, password == joining.password {
      actions.append(.askPassword(isWrong: isWrong))
    }
    joining.obstacle = obstacle
    joining.step = .waiting(until: now + delay)
    state = .joining(joining)
  }

  /// By another box; unless it was a late join of this one.
  mutating func superseded(_ now: MonotonicTime) {
    if let lateJoin, now < lateJoin + Self.lateness {
      self.lateJoin = nil
      // Under its old id a join is answered as it was before the late one.
      joinID = nil
      return joinAgain(.leaseOver, at: now)
    }
    closeStream()
    goOnAlone()
    unpublish()
    state = .superseded
    record.verdict = .superseded
    actions.append(.report(.superseded))
  }

  /// How long a hub may be busy with a request whose sender has given up.
  private static var lateness: MediaTime { .seconds(60) }

  /// Also when it asks to come back: only the host changes that.
  mutating func remove(_ now: MonotonicTime) {
    let isNew: Bool
    switch state {
    case .joining(let joining): isNew = joining.obstacle != .removed
    case .idle, .joined, .leaving, .superseded, .over, .left, .finished: isNew = true
    }
    closeStream()
    goOnAlone()
    unpublish()
    record.lease = nil
    if isNew { actions.append(.report(.waiting(.removed))) }
    let delay = settings.retries.slowDelay(using: &randomness)
    state = .joining(Joining(step: .waiting(until: now + delay), obstacle: .removed))
  }

  /// A password that was wrong is sent again only when it is time to ask anyway: the session's may have changed.
  mutating func use(_ new: String, _ now: MonotonicTime) {
    guard case .joining(var joining) = state, case .waiting(let until) = joining.step,
      case .password = joining.obstacle, new != password
    else {
      password = new
      return
    }
    password = new
    let delay = settings.retries.passwordDelay(afterWrong: joining.wrongPasswords)
    joining.step = .waiting(until: min(until, now + delay))
    state = .joining(joining)
  }

  /// What could not be reached may be reachable now.
  mutating func wake(_ now: MonotonicTime) {
    let soon = now + settings.retries.random(in: .zero...(.seconds(1)), using: &randomness)
    switch state {
    case .joining(var joining):
      guard case .waiting(let until) = joining.step, case .hubAway(.unreachable) = joining.obstacle else {
        return
      }
      joining.step = .waiting(until: min(until, soon))
      state = .joining(joining)
    case .joined(var joined):
      if joined.trouble != nil { joined.beatDue = min(joined.beatDue, soon) }
      if case .closed(let until, let failures) = joined.stream, failures > 0 {
        joined.stream = .closed(until: min(until, soon), failures: failures)
      }
      state = .joined(joined)
    case .idle, .leaving, .superseded, .over, .left, .finished: break
    }
  }

  mutating func newID() -> String { Self.randomText(16, using: &randomness) }
}
