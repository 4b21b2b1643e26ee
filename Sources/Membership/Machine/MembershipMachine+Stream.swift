import HoldfastMediaModel
import HoldfastSession

extension MembershipMachine {
  mutating func closeStream() {
    guard case .joined(var joined) = state else { return }
    switch joined.stream {
    case .closed: return
    case .opening(let number, _), .open(let number): actions.append(.closeStream(number))
    }
    joined.stream = .closed(until: joined.since, failures: 0)
    state = .joined(joined)
  }

  mutating func streamOpened(_ number: Int, _ now: MonotonicTime) {
    guard case .joined(var joined) = state, case .opening(number, _) = joined.stream else { return }
    joined.stream = .open(number)
    state = .joined(joined)
  }

  mutating func streamed(_ number: Int, _ event: HubEvent, _ now: MonotonicTime) {
    guard case .joined(var joined) = state, joined.stream.number == number else { return }
    joined.stream = .open(number)
    if let id = event.id {
      if let seen = joined.seen, id <= seen, !event.isReset { return }
      joined.seen = id
    }
    // What the last beat's answer knew already.
    let isNews = event.id.flatMap { id in EventID(joined.place.lastEvent).map { id > $0 } } ?? true
    let member = joined.member
    switch event.kind {
    case .bye(let delay):
      state = .joined(joined)
      return changeHub(after: delay, now)
    case .reset:
      if isNews { follow(reset: event.id, &joined, now) }
      noteReady { $0.reset(by: event.data, without: member) }
    // The beat's answer says what it means.
    case .failed: joined.hurry(now)
    case .session(let session):
      if case .ended(let reason) = session { joined.end = reason }
      if isNews, session.concerns(member, as: joined.place.role, until: joined.place.endsAt) {
        joined.hurry(now)
      }
    case .came(let id, _), .went(let id): if isNews, id == member { joined.hurry(now) }
    // Perhaps an end, or another host.
    case .other(let id):
      if isNews, id == nil || id == member || joined.place.role == .host { joined.hurry(now) }
    }
    state = .joined(joined)
    noteReady { $0.follow(event.kind, without: member) }
  }

  /// All members get it in the same moment when the store has begun anew, and all have to join again.
  private mutating func follow(reset id: EventID?, _ joined: inout Joined, _ now: MonotonicTime) {
    guard id?.epoch == EventID(joined.place.lastEvent)?.epoch else {
      let spread = settings.retries.random(in: .zero...settings.retries.spread, using: &randomness)
      joined.beatDue = min(joined.beatDue, now + spread)
      return
    }
    joined.hurry(now)
  }

  private mutating func changeHub(after delay: MediaTime, _ now: MonotonicTime) {
    closeStream()
    guard case .joined(var joined) = state else { return }
    let spread = settings.retries.random(in: .zero...settings.retries.spread, using: &randomness)
    joined.stream = .closed(until: now + delay + spread, failures: 0)
    state = .joined(joined)
    actions.append(.changeHub)
  }

  mutating func streamClosed(_ number: Int, _ failure: HubFailure, _ now: MonotonicTime) {
    guard case .joined(var joined) = state, joined.stream.number == number else { return }
    let failures = joined.stream.failures + 1
    joined.stream = .closed(until: now, failures: failures)
    let delay: MediaTime
    switch failure.remedy {
    case .goOnAlone, .endBroadcast, .leaveAndAskAgain, .join, .awaitSession, .askPassword:
      state = .joined(joined)
      _ = troubled(&joined, failure, now)
      return
    case .retry:
      delay = settings.retries.delay(
        afterFailures: failures, retryAfter: failure.retryAfter, using: &randomness)
    case .retrySlowly:
      delay = settings.retries.slowDelay(retryAfter: failure.retryAfter, using: &randomness)
    }
    joined.stream = .closed(until: now + delay, failures: failures)
    state = .joined(joined)
  }

  mutating func noteReady(_ change: (inout ReadyMembers) -> Void) {
    let before = othersReady.count
    change(&othersReady)
    if othersReady.count != before { actions.append(.report(.othersReady(othersReady.count))) }
  }
}

extension MembershipMachine.Stream {
  var number: Int? {
    switch self {
    case .closed: nil
    case .opening(let number, _), .open(let number): number
    }
  }

  /// Attempts without an event since the last.
  var failures: Int {
    switch self {
    case .closed(_, let failures), .opening(_, let failures): failures
    case .open: 0
    }
  }
}
