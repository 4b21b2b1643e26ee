import HoldfastMediaModel
import HoldfastSession

extension MembershipMachine.Joined {
  func deadline(with orders: CommandQueue) -> MonotonicTime? {
    var deadlines: [MonotonicTime] = []
    if channel == .idle {
      deadlines.append(beatDue)
      if orders.first != nil { deadlines.append(commandDue) }
    }
    if case .closed(let until, _) = stream { deadlines.append(until) }
    return deadlines.min()
  }

  /// A beat at once, though not more than four a second. While the hub is away it waits for the next attempt, which
  /// says all there is to say.
  mutating func hurry(_ now: MonotonicTime) {
    guard trouble == nil else { return }
    let earliest = lastBeat.map { $0 + Self.minInterval } ?? now
    beatDue = min(beatDue, max(now, earliest))
  }

  private static var minInterval: MediaTime { .milliseconds(250) }
}

extension MembershipMachine {
  mutating func pursue(_ joined: Joined, _ now: MonotonicTime) {
    var joined = joined
    if case .closed(let until, let failures) = joined.stream, now >= until {
      let number = nextNumber()
      joined.stream = .opening(number, failures: failures)
      let after = joined.seen?.description ?? joined.place.lastEvent
      actions.append(.openStream(number, lease: joined.place.lease, after: after))
    }
    if joined.channel == .idle {
      if !mutes.lifted.isEmpty {
        // Only a join says what was lifted.
        state = .joined(joined)
        joinAgain(joined.trouble.map { .hubAway($0.last) }, at: max(now, joined.beatDue))
        if case .joining(let joining) = state { pursue(joining, now) }
        return
      }
      if now >= joined.beatDue {
        beat(&joined, now)
      } else if now >= joined.commandDue, let entry = orders.first {
        let number = nextNumber()
        joined.channel = .commanding(number)
        orders.markFirstSent()
        let request = Session.CommandRequest(entry.order.command, requestID: entry.id)
        actions.append(.send(number, .command(lease: joined.place.lease, request)))
      }
    }
    state = .joined(joined)
  }

  private mutating func beat(_ joined: inout Joined, _ now: MonotonicTime) {
    let number = nextNumber()
    let news = statistics == joined.statistics ? nil : statistics
    let request = Session.BeatRequest(report, statistics: news)
    joined.channel = .beating(number, request)
    joined.lastBeat = now
    joined.beatDue = now + settings.retries.beatDelay(joined.place.beatEvery, using: &randomness)
    actions.append(.send(number, .beat(lease: joined.place.lease, request)))
  }

  mutating func say(_ new: Session.Member.Report, _ now: MonotonicTime) {
    report = new
    guard case .joined(var joined) = state, joined.saidLast != new else { return }
    joined.hurry(now)
    state = .joined(joined)
  }

  mutating func beaten(_ number: Int, _ answer: Session.BeatAnswer, _ now: MonotonicTime) {
    switch state {
    case .joined(var joined):
      guard case .beating(number, let request) = joined.channel else { return }
      joined.channel = .idle
      joined.reported = request.report
      if let statistics = request.statistics { joined.statistics = statistics }
      joined.place = answer.place
      heard(&joined, now)
      state = .joined(joined)
      accept(answer.place, version: answer.version, now)
    case .leaving(var leaving):
      guard case .finishing(number, _) = leaving.step else { return }
      leaving.step = .waiting(until: now, lease: answer.place.lease)
      state = .leaving(leaving)
    case .idle, .joining, .superseded, .over, .left, .finished: return
    }
  }

  mutating func heard(_ joined: inout Joined, _ now: MonotonicTime) {
    contact = .heard(now)
    if joined.trouble?.isReported == true { actions.append(.report(.hubBack)) }
    joined.trouble = nil
  }

  /// Takes over what a join or a beat has given.
  mutating func accept(_ place: Session.MemberPlace, version: String?, _ now: MonotonicTime) {
    contact = .heard(now)
    record.lease = place.lease
    record.proof = place.proof
    if let version { record.version = version }
    let before = mutes
    mutes.accept(place.desired.mute)
    if mutes.byOthers != before.byOthers.subtracting(before.lifted) {
      actions.append(.report(.mutedByOthers(mutes.byOthers)))
    }
    follow(sharesScreen: place.desired.sharesScreen)
    if !mutes.asked.isSubset(of: before.asked) { takeBackAnswers() }
    if !mutes.asked.isEmpty, mutes.asked != before.asked { asked() }
    if let role, role != place.role { actions.append(.report(.roleChanged(place.role))) }
    role = place.role
    if endsAt != place.endsAt {
      endsAt = place.endsAt
      actions.append(.report(.endsAt(place.endsAt)))
    }
    publish(to: place.ingests)
  }

  /// They were given to another question.
  private mutating func takeBackAnswers() {
    for entry in orders.removeUnsentAnswers() {
      actions.append(.report(.answered(entry.order, id: entry.id, .replaced)))
    }
  }

  private mutating func asked() {
    guard !orders.contains(where: { if case .answer = $0 { true } else { false } }) else { return }
    actions.append(.report(.unmuteAsked(mutes.asked)))
    if settings.allowsUnmute { take(.answer(true), id: newID()) }
  }

  mutating func beatFailed(_ failure: HubFailure, _ joined: Joined, _ now: MonotonicTime) {
    var joined = joined
    joined.channel = .idle
    guard let delay = troubled(&joined, failure, now) else { return }
    joined.beatDue = now + delay
    state = .joined(joined)
  }

  /// How long to wait before asking again; nil if the member is no longer in the session.
  mutating func troubled(_ joined: inout Joined, _ failure: HubFailure, _ now: MonotonicTime) -> MediaTime? {
    switch failure.remedy {
    case .goOnAlone: superseded(now)
    case .endBroadcast(let reason): end(reason ?? joined.end)
    case .leaveAndAskAgain: remove(now)
    case .join, .awaitSession, .askPassword: rejoin(joined, now)
    case .retry:
      let count = noteAway(&joined, failure)
      return settings.retries.delay(afterFailures: count, retryAfter: failure.retryAfter, using: &randomness)
    case .retrySlowly:
      // The lease is over by then; and a token is read anew for a join.
      let obstacle = Obstacle(failure)
      actions.append(.report(.waiting(obstacle)))
      let delay = settings.retries.slowDelay(retryAfter: failure.retryAfter, using: &randomness)
      joinAgain(obstacle, at: now + delay)
    }
    return nil
  }

  /// Returns how often in a row.
  private mutating func noteAway(_ joined: inout Joined, _ failure: HubFailure) -> Int {
    var trouble = joined.trouble ?? Trouble(count: 0, last: failure)
    trouble.count += 1
    trouble.last = failure
    // One lost request is nothing that an operator has to know of.
    if !trouble.isReported, trouble.count > 1 {
      trouble.isReported = true
      actions.append(.report(.waiting(Obstacle(failure))))
    }
    joined.trouble = trouble
    return trouble.count
  }

  /// A lease that was over as soon as it was given is not asked for again in the same moment.
  private mutating func rejoin(_ joined: Joined, _ now: MonotonicTime) {
    let isFresh = now < joined.since + Session.Limits.beat
    let delay = isFresh ? settings.retries.delay(afterFailures: 1, using: &randomness) : .zero
    joinAgain(.leaseOver, at: now + delay)
  }
}

extension MembershipMachine.Joined {
  /// With the beat that is on its way, if there is one.
  var saidLast: Session.Member.Report? {
    switch channel {
    case .beating(_, let request): request.report
    case .idle, .commanding: reported
    }
  }
}

// MARK: - Without a hub

extension MembershipMachine {
  /// When the time without a hub becomes a lease's.
  var solitude: MonotonicTime? {
    switch contact {
    case .heard(let at): at + Session.Limits.lease
    case .alone: nil
    }
  }

  /// What others muted is then the member's, also what it has asked to lift already.
  mutating func noteSolitude(_ now: MonotonicTime) {
    switch state {
    case .joining, .joined: break
    case .idle, .leaving, .superseded, .over, .left, .finished: return
    }
    guard let solitude, now >= solitude else { return }
    contact = .alone(since: now)
    guard !mutes.byOthers.isEmpty else { return }
    actions.append(.report(.mayUnmute(mutes.byOthers)))
    for entry in orders.entries {
      if case .unmute(let tracks) = entry.order { mutes.lift(tracks) }
    }
  }
}
