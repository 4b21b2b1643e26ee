import HoldfastHub
import HoldfastMediaModel
import HoldfastSession
import HoldfastStores
import TestVirtualTime

/// A hub's way to the store during one request. Each verb takes time, in which others go on, and may be lost.
struct StoreLink: ForwardingStore {
  let hub: HubNode
  /// Whose lease the request carries.
  let ticket: LeaseTicket?
  /// The life of the hub that the request belongs to.
  private let life: Int
  private let isSweeping: Bool
  /// When the store renewed the lease.
  private(set) var renewedAt: Int64?
  /// The request met with a fault.
  private(set) var wasTroubled = false
  /// When the session was loaded that is committed.
  private var loadedAt: Int64 = 0

  init(_ hub: HubNode, ticket: LeaseTicket? = nil, isSweeping: Bool = false) {
    self.hub = hub
    self.ticket = ticket
    self.isSweeping = isSweeping
    life = hub.life
  }

  private var world: SessionWorld { hub.world }
  private var node: StoreNode { hub.store }

  mutating func load(
    _ name: Session.Name, asking request: StoreRequest?
  ) throws(StoreError) -> LoadedSession {
    let asked = world.mutation == .forgetsRequests ? nil : request
    let world = world
    var at: Int64 = 0
    var loaded = try meet { store throws(StoreError) in
      try store.load(name, asking: asked)
    } then: { _ in
      at = world.now
    }
    loadedAt = at
    if isSweeping, world.mutation == .seesNoBeats || world.mutation == .hearsLate { distort(&loaded) }
    return loaded
  }

  /// The faults that hubs can have in what they see.
  private func distort(_ loaded: inout LoadedSession) {
    let beats: [Session.Lease: WallTime] =
      world.mutation == .hearsLate && hub.index == 0 ? loaded.beats.mapValues { $0 - .seconds(9) } : [:]
    guard world.mutation == .seesNoBeats || hub.index == 0 else { return }
    loaded = LoadedSession(
      session: loaded.session, version: loaded.version, beats: beats, statistics: loaded.statistics,
      lastEvent: loaded.lastEvent, now: loaded.now, known: loaded.known)
  }

  mutating func commit(_ commit: StoreCommit) throws(StoreError) -> CommitResult {
    var commit = commit
    switch world.mutation {
    case .ignoresVersion: if let loaded = node.session(commit.name) { commit.expected = loaded.version }
    case .forgetsPresence: commit.presence = []
    case .forgetsRequests: commit.request = nil
    case .seesNoBeats:
      commit.presence = commit.presence.map { change in
        if case .expire(let id, let lease) = change { .remove(id, lease) } else { change }
      }
    case .some, nil: break
    }
    let (hub, ticket, done, loadedAt) = (hub, ticket, commit, loadedAt)
    return try meet { store throws(StoreError) in
      try store.commit(done)
    } then: { result in
      if case .committed(let version, let last) = result {
        hub.monitor.committed(done, version, last, by: ticket, hub: hub, loadedAt: loadedAt)
      }
    }
  }

  mutating func beat(
    _ lease: Session.Lease, statistics: String?, in name: Session.Name
  ) throws(StoreError) -> StoreVersion? {
    let (hub, now) = (hub, world.now)
    let version = try meet { store throws(StoreError) in
      try store.beat(lease, statistics: statistics, in: name)
    } then: { version in
      if version != nil { hub.monitor.renewed(lease, in: name) }
    }
    if version != nil { renewedAt = now }
    return version
  }
}

// MARK: - Faults

extension StoreLink {
  mutating func forward<Answer>(
    _ verb: (inout MemoryStore) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    try meet(verb)
  }

  /// One verb on its way to the store and back; `then` in the moment in which it is carried out.
  private mutating func meet<Answer>(
    _ verb: (inout MemoryStore) throws(StoreError) -> Answer, then: (Answer) -> Void = { _ in }
  ) throws(StoreError) -> Answer {
    let isSlow = node.latency > .ms(20) || hub.isFrozen
    let blocks = isSlow || world.randomness.chance(world.settings.interleaved)
    if blocks { hub.block(for: node.latency / 2 + Int64(world.randomness.below(2_000_000))) }
    try reach()
    let fault = hub.drawFault()
    if fault == .requestLost { throw lose() }
    var answer = try node.with(verb)
    then(answer)
    if fault == .cameTwice {
      answer = try node.with(verb)
      then(answer)
    }
    if fault == .answerLost { throw lose() }
    if blocks { hub.block(for: node.latency / 2 + Int64(world.randomness.below(2_000_000))) }
    try reach()
    return answer
  }

  private mutating func reach() throws(StoreError) {
    guard hub.life == life, hub.isUp, node.isUp, !hub.isCutOff else { throw lose() }
  }

  private mutating func lose() -> StoreError {
    wasTroubled = true
    return .away(.lost("the network"))
  }
}
