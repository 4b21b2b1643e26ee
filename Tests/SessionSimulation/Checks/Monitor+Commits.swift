import HoldfastHub
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestVirtualTime

/// What is checked at every write.
extension Monitor {
  /// How far the store's clock, and the way to it, may make times look different.
  private static let tolerance: Int64 = .s(3)

  func committed(
    _ commit: StoreCommit, _ version: StoreVersion, _ last: EventID, by ticket: LeaseTicket?,
    hub: HubNode, loadedAt: Int64
  ) {
    count { $0.commits += 1 }
    let truth = truth(of: commit.name)
    let before = truth.session
    if let ticket { checkLease(ticket, truth) }
    let events = commit.events.map { CommittedEvent($0) }
    checkEvents(events, last, truth)
    checkPresence(commit, events, before, truth)
    if let meeting = commit.session.meeting { check(meeting, before?.meeting, events, truth) }
    checkHost(commit.session.meeting, before?.meeting, events, truth)
    checkEnd(events, before, store.clock, truth)
    checkSilence(events, truth, loadedAt: loadedAt)
    checkRepeats(commit, events, truth)
    truth.session = commit.session
    truth.noteLeases(epoch: store.epoch)
    for other in cast?.hubs ?? [] where other !== hub { other.follow(soon: false) }
    hub.follow(soon: true)
    world.note("hub \(hub.index) writes \(commit.name.text) \(version.text): \(events.map(\.name))")
  }

  private func checkLease(_ ticket: LeaseTicket, _ truth: SessionTruth) {
    let newest = truth.leases[ticket.member]
    expect(
      newest == ticket.lease && ticket.lease.epoch == store.epoch, truth.name,
      "something was written with the lease \(ticket.lease) where \(newest.map { "\($0)" } ?? "none") counts")
  }

  private func checkEvents(_ events: [CommittedEvent], _ last: EventID, _ truth: SessionTruth) {
    let first = last.sequence + 1 - UInt64(events.count)
    for (index, event) in events.enumerated() {
      let id = EventID(epoch: last.epoch, sequence: first + UInt64(index))
      let fault = truth.order.append(event.json, event.value, as: id, at: world.now)
      if let fault { expect(false, truth.name, fault) }
    }
  }

  /// Leases are given once; nobody disappears without an event, or before its time.
  private func checkPresence(
    _ commit: StoreCommit, _ events: [CommittedEvent], _ before: Session?, _ truth: SessionTruth
  ) {
    let members = commit.session.meeting?.present ?? []
    let epoch = store.epoch
    let isEnded = events.contains { $0.name == "ended" }
    let old = before?.meeting?.present ?? []
    for member in old {
      if let lease = member.lease { truth.heardBefore[member.id] = truth.lastHeard(lease) }
    }
    for member in old where !isEnded && !members.contains(where: { $0.id == member.id }) {
      let left = events.first { $0.name == "left" && $0.member == member.id.text }
      expect(left != nil, truth.name, "\(member.id) is gone without an event")
      guard left?.why == "expired", let lease = member.lease else { continue }
      count { $0.expiries += 1 }
      let silent = world.now - truth.lastHeard(lease)
      expect(
        silent > .s(20) - Self.tolerance, truth.name,
        "\(member.id) expired \(silent.shown) after its last beat")
      expect(
        reach > .s(20) - Self.tolerance, truth.name,
        "\(member.id) expired when the store had been within reach for \(reach.shown)")
    }
    for member in members {
      guard let lease = member.lease, lease.epoch == epoch, truth.leases[member.id] != lease else { continue }
      expect(truth.given.insert(lease).inserted, truth.name, "the lease \(lease) was given twice")
      truth.heard[lease] = world.now
    }
    truth.forgetOldLeases(before: world.now - .minutes(10))
  }

  /// Who was removed is out, until it is readmitted.
  private func check(
    _ meeting: Session.Meeting, _ before: Session.Meeting?, _ events: [CommittedEvent], _ truth: SessionTruth
  ) {
    for removal in meeting.removed {
      truth.removed.insert(removal.id)
      let isIn = meeting.present.contains { member in
        removal.identity.token.map { $0 == member.identity.token } ?? (removal.identity == member.identity)
      }
      // Others of its token stay.
      let isKnown = meeting.present.contains { $0.identity == removal.identity }
      expect(
        !isKnown && (!isIn || removal.identity.token != nil), truth.name,
        "\(removal.id) was removed and is in")
    }
    guard before?.id == meeting.id else { return }
    for removal in before?.removed ?? [] where !meeting.removed.contains(where: { $0.id == removal.id }) {
      expect(
        events.contains { $0.name == "readmitted" }, truth.name, "the removal of \(removal.id) is forgotten")
    }
  }

  /// One host at most, and none who may not be; the role passes on only when the host is really away.
  private func checkHost(
    _ meeting: Session.Meeting?, _ before: Session.Meeting?, _ events: [CommittedEvent], _ truth: SessionTruth
  ) {
    guard let meeting else { return }
    let hosts = meeting.members.filter { meeting.role(of: $0) == .host }
    expect(hosts.count <= 1, truth.name, "\(hosts.count) hosts")
    expect(meeting.hostID == nil || hosts.count == 1, truth.name, "the host is not a member")
    for host in hosts {
      expect(host.credential.mayBeHost && host.kind != .programme, truth.name, "\(host.id) may not be host")
    }
    guard let old = before?.hostID, before?.id == meeting.id else { return }
    if old != meeting.hostID {
      expect(events.contains { $0.name == "hostChanged" }, truth.name, "the host changed without an event")
    }
    guard events.contains(where: { $0.name == "hostChanged" && $0.why == "away" }) else { return }
    count { $0.hostChanges += 1 }
    let heard = truth.lastHeard(old, before)
    // A failover may have forgotten that the host came back.
    expect(
      world.now - heard > .s(30) - Self.tolerance || heard < store.lastFailover, truth.name,
      "the host's role passed on \((world.now - heard).shown) after its last beat")
    expect(
      reach > .s(20) - Self.tolerance, truth.name,
      "the host's role passed on when the store had been within reach for \(reach.shown)")
  }

  /// A session ends by its host, its time, or by being empty.
  private func checkEnd(
    _ events: [CommittedEvent], _ before: Session?, _ clock: WallTime, _ truth: SessionTruth
  ) {
    guard let ended = events.first(where: { $0.name == "ended" }) else { return }
    guard let reason = ended.why.flatMap(Session.EndReason.init(rawValue:)), let meeting = before?.meeting
    else { return expect(false, truth.name, "\(ended.json) of no meeting") }
    count { $0.endings += 1 }
    truth.endings.append((reason, Set(meeting.members.map(\.id))))
    if truth.endings.count > 50 { truth.endings.removeFirst() }
    switch reason {
    case .ended: expect(truth.endAskedAt != nil, truth.name, "it was ended, but nobody asked for it")
    case .time:
      expect(
        meeting.end(at: clock).map { $0 <= clock + .seconds(1) } ?? false, truth.name,
        "its time is said to be over")
    case .empty:
      let heard = truth.heard.values.max() ?? 0
      expect(
        world.now - heard > .s(300) - Self.tolerance, truth.name,
        "it was ended as empty \((world.now - heard).shown) after a beat")
    }
  }

  /// Silence begins after 13 s without a beat, and ends by one.
  private func checkSilence(_ events: [CommittedEvent], _ truth: SessionTruth, loadedAt: Int64) {
    for event in events where event.name == "reported" {
      guard let isSilent = event.value.field("silent")?.flag,
        let member = truth.leases.keys.first(where: { $0.text == event.member }),
        let lease = truth.leases[member]
      else { continue }
      let heard = truth.lastHeard(lease)
      count { $0.silences += 1 }
      if isSilent {
        // A beat that came after the hub had looked ends the silence with the next look.
        expect(
          world.now - heard > .s(13) - Self.tolerance || heard >= loadedAt, truth.name,
          "\(member) is silent \((world.now - heard).shown) after its last beat")
      } else if let silence = truth.silences[member], silence.isSilent {
        expect(heard > silence.heard, truth.name, "\(member) is not silent any more, without a beat")
      }
      truth.silences[member] = (isSilent, min(heard, loadedAt - 1))
    }
  }

  /// Each extension and each event of a member is carried out once.
  private func checkRepeats(_ commit: StoreCommit, _ events: [CommittedEvent], _ truth: SessionTruth) {
    for event in events where event.name == "event" {
      expect(truth.done.insert(event.json).inserted, truth.name, "\(event.json) happened twice")
    }
    guard let after = commit.session.meeting, let before = truth.session?.meeting, after.id == before.id,
      events.contains(where: { $0.name == "timer" && $0["state"] == "extended" })
    else { return }
    let new = after.timer.requests.filter { before.timer.requests[$0.key] == nil }
    let asked = new.values.reduce(MediaTime.zero, +)
    expect(
      before.timer.length.map { $0 + asked } == after.timer.length, truth.name,
      "extensions of \(asked) changed the time from \(before.timer.length.map { "\($0)" } ?? "none")"
        + " to \(after.timer.length.map { "\($0)" } ?? "none")")
  }
}

/// A committed event.
struct CommittedEvent {
  let json: String
  let value: JSONValue

  init(_ json: String) {
    self.json = json
    value = (try? JSONValue(reading: Array(json.utf8).span)) ?? .null
  }

  var name: String { self["event"] ?? "" }
  var member: String? { self["member"] }
  var why: String? { self["why"] }

  subscript(key: String) -> String? { value.field(key)?.text }
}
