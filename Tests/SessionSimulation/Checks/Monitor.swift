import HoldfastHub
import HoldfastMediaModel
import HoldfastMembership
import HoldfastSession
import HoldfastStores
import TestVirtualTime

/// Compares everything that hubs write, and members are told, with what really happened.
final class Monitor {
  unowned let world: SessionWorld
  unowned let store: StoreNode
  weak var cast: Cast?
  private var truths: [Session.Name: SessionTruth] = [:]
  /// Who has a copy of each key.
  private var holders: [String: Set<Int>] = [:]
  /// Since when some hub could reach the store without a break.
  private var reachSince: Int64 = 0
  /// Since when none can.
  private var outOfReachSince: Int64? = 0
  private(set) var figures = SessionRun.Figures()

  init(_ world: SessionWorld, _ store: StoreNode) {
    self.world = world
    self.store = store
  }

  func truth(of name: Session.Name) -> SessionTruth {
    if let truth = truths[name] { return truth }
    let truth = SessionTruth(name)
    truths[name] = truth
    return truth
  }

  func expect(_ isTrue: Bool, _ name: Session.Name, _ claim: @autoclosure () -> String) {
    world.expect(isTrue, "\(name.text): \(claim())")
  }

  func count(_ change: (inout SessionRun.Figures) -> Void) { change(&figures) }

  // MARK: - The store

  func reachChanged() {
    let isReached = store.isUp && (cast?.hubs.contains { $0.isUp && !$0.isCutOff } ?? true)
    guard isReached else { return outOfReachSince = outOfReachSince ?? world.now }
    // Hubs can't notice what happens between two sweeps.
    if let since = outOfReachSince, world.now - since > StoreContact.longestSilence.nanoseconds {
      reachSince = world.now
    }
    outOfReachSince = nil
  }

  /// For so long, somebody could be heard.
  var reach: Int64 { world.now - max(reachSince, store.lastFailover) }

  /// The store has begun anew, perhaps without the last writes.
  func failedOver() {
    figures.failovers += 1
    for truth in truths.values {
      truth.goOn(from: store.session(truth.name)?.session)
      truth.noteLeases(epoch: store.epoch)
      truth.given = []
      truth.silences = [:]
      truth.done = []
    }
    for hub in cast?.hubs ?? [] { hub.follow(soon: false) }
  }

  func renewed(_ lease: Session.Lease, in name: Session.Name) {
    let truth = truth(of: name)
    truth.heard[lease] = world.now
    expect(lease.epoch == store.epoch, name, "\(lease) was renewed in the epoch \(store.epoch)")
  }

  func answeredBeat(_ ticket: LeaseTicket, in name: Session.Name, at time: Int64) {
    figures.beats += 1
    let truth = truth(of: name)
    truth.heard[ticket.lease] = max(truth.lastHeard(ticket.lease), time)
  }

  func asked(_ request: Session.CommandRequest, in name: Session.Name) {
    switch request.word {
    case .end: truth(of: name).endAskedAt = world.now
    case .mute, .unmute, .muteAll: truth(of: name).muteAskedAt = world.now
    default: break
    }
  }

  // MARK: - Readers

  /// Returns what the event says.
  func arrived(_ frame: EventFrame, after cursor: EventID?, at stream: HubStream) -> JSONValue {
    figures.arrivals += 1
    let text = { (try? JSONValue(reading: Array(frame.data.utf8).span)) ?? .null }
    guard let id = frame.id else { return text() }
    if frame.name == "reset" { return text() }
    if let cursor {
      expect(
        id.epoch == cursor.epoch && id.sequence == cursor.sequence + 1, stream.name,
        "a reader at hub \(stream.hub.index) sees \(id) after \(cursor)")
    }
    // Of an epoch that is over, or long ago.
    guard let entry = truth(of: stream.name).order[id] else { return text() }
    expect(
      entry.json == frame.data, stream.name, "\(id) is \(frame.data) for a reader, but was \(entry.json)")
    return entry.value
  }

  // MARK: - Boxes

  func holds(_ box: SimulatedBox, _ key: String) { holders[key, default: []].insert(box.number) }

  func joined(_ box: SimulatedBox, as member: Session.Member.ID) {
    figures.joins += 1
    let name = box.session.name
    expect(!box.wasSuperseded, name, "\(box.label) joins though it was superseded")
    if let known = box.member, known != member, !truth(of: name).removed.contains(known),
      !truth(of: name).forgotten.contains(known),
      !truth(of: name).endings.contains(where: { $0.members.contains(known) })
    {
      expect(false, name, "\(box.label) was \(known) and comes back as \(member)")
    }
    box.note(member: member)
  }

  func superseded(_ box: SimulatedBox) {
    figures.superseded += 1
    let others = box.disk.map { holders[$0.key]?.count ?? 0 } ?? 0
    expect(others > 1, box.session.name, "\(box.label) was superseded, but nobody else has its key")
  }

  /// A broadcast ends because of its session.
  func ends(_ box: SimulatedBox) {
    figures.endedBroadcasts += 1
    let truth = truth(of: box.session.name)
    // A copy of another box's disk goes on as whom that says.
    let member = box.member ?? box.disk?.member
    let isEnded = truth.endings.contains { ending in
      ending.reason != .empty && (member.map(ending.members.contains) ?? false)
    }
    // A commit that was forgotten may have been heard of.
    let isForgotten = world.now < store.lastFailover + .s(60) && store.failovers > 0
    let loaded = store.session(truth.name)
    let isOver = loaded.map { loaded in
      loaded.session.meeting?.end(at: loaded.now).map { $0 <= loaded.now + .seconds(1) } ?? false
    }
    expect(
      isEnded || isForgotten || isOver == true, truth.name,
      "\(box.label), member \(box.member?.text ?? "never"), ends its broadcast after \(box.recorded.shown), "
        + "but the session was not ended")
  }
}
