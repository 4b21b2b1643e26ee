import HoldfastHub
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestVirtualTime

/// A hub: the real service, sweeper, follower and streams, driven in virtual time.
final class HubNode {
  unowned let world: SessionWorld
  let store: StoreNode
  let monitor: Monitor
  let index: Int
  /// Counts its starts: what belongs to an earlier life has no effect.
  private(set) var life = 0
  private(set) var isUp = false
  /// From the store.
  private(set) var isCutOff = false
  /// One verb in so many meets with a fault; 0 for none.
  var lossOneIn = 0
  private(set) var frozenUntil: Int64 = 0

  private(set) var service: HubService
  private(set) var feeds: SessionFeeds
  private var sweeper = SessionSweeper()
  private var follower: SessionFollower
  private var isSweeping = false
  private var isFollowing = false
  private var isToFollow = false
  private let read = ReadSessions()
  var streams: [Session.Name: [HubStream]] = [:]
  private var oldAnswers: [String: Session.BeatAnswer] = [:]

  init(_ index: Int, _ world: SessionWorld, _ store: StoreNode, _ monitor: Monitor) throws {
    self.index = index
    self.world = world
    self.store = store
    self.monitor = monitor
    service = Self.service()
    feeds = SessionFeeds(readable: try Wakeup())
    follower = Self.follower(feeds, read)
  }

  private static func service() -> HubService {
    HubService(
      keys: HubKeys(secret: Array("the hubs' secret".utf8)),
      hasher: PasswordHasher(
        hash: { Session.PasswordHash("hash \($0)") }, matches: { $1.text == "hash \($0)" }),
      media: MediaAddresses(ingest: "rtmp://media/live/{session}.{member}?key={key}"))
  }

  private static func follower(_ feeds: SessionFeeds, _ read: ReadSessions) -> SessionFollower {
    SessionFollower(feeds, observe: { read.note($0.session.name) })
  }

  var isFrozen: Bool { world.now < frozenUntil }
  /// Whether requests to it are carried out.
  var isWell: Bool { isUp && !isCutOff && !isFrozen && store.isUp }

  func block(for time: Int64) { world.block(for: max(time, frozenUntil - world.now)) }

  func drawFault() -> LinkFault? {
    guard lossOneIn > 0, world.randomness.below(lossOneIn) == 0 else { return nil }
    return world.randomness.pick(LinkFault.allCases)
  }

  /// For the mutant whose cache goes stale.
  func oldAnswer(to lease: String, _ answer: Session.BeatAnswer) -> Session.BeatAnswer {
    if let old = oldAnswers[lease] { return old }
    oldAnswers[lease] = answer
    return answer
  }
}

enum LinkFault: CaseIterable {
  case requestLost
  /// The request was carried out.
  case answerLost
  case cameTwice
}

/// The sessions that a follower has read.
private final class ReadSessions: Sendable {
  private let names = Locked<Set<Session.Name>>([])

  func note(_ name: Session.Name) { names.withLock { _ = $0.insert(name) } }

  func take() -> [Session.Name] {
    names.withLock { names in
      defer { names = [] }
      return names.sorted { $0.folded < $1.folded }
    }
  }
}

// MARK: - Life

extension HubNode {
  func start() {
    guard !isUp, let readable = try? Wakeup() else { return }
    life += 1
    isUp = true
    service = Self.service()
    feeds = SessionFeeds(readable: readable)
    sweeper = SessionSweeper()
    follower = Self.follower(feeds, read)
    (isSweeping, isFollowing, isToFollow) = (false, false, false)
    oldAnswers = [:]
    world.note("hub \(index) starts")
    monitor.reachChanged()
    scheduleSweep()
  }

  /// Its memory is gone, its connections break.
  func kill() {
    guard isUp else { return }
    world.note("hub \(index) dies")
    isUp = false
    life += 1
    frozenUntil = 0
    let open = streams.values.flatMap { $0 }.sorted { $0.serial < $1.serial }
    streams = [:]
    for stream in open { stream.lose(after: world.randomness.time(.ms(1), .s(1))) }
    monitor.reachChanged()
  }

  /// In order: readers are told to go elsewhere.
  func stop() {
    guard isUp else { return }
    world.note("hub \(index) stops")
    feeds.sayGoodBye(retryAfter: .seconds(2))
    for name in streams.keys.sorted(by: { $0.folded < $1.folded }) { pump(name) }
    let life = life
    world.after(.s(1)) { [self] in if self.life == life { kill() } }
  }

  func freeze(for time: Int64) {
    guard isUp else { return }
    world.note("hub \(index) is frozen for \(time.shown)")
    frozenUntil = world.now + time
  }

  func thaw() { frozenUntil = min(frozenUntil, world.now) }

  func set(isCutOff: Bool) {
    guard self.isCutOff != isCutOff else { return }
    self.isCutOff = isCutOff
    monitor.reachChanged()
  }

  /// Carries something out as soon as it is not frozen; nothing that was meant for an earlier life.
  func receive(_ life: Int, _ act: @escaping () -> Void, otherwise: @escaping () -> Void = {}) {
    guard self.life == life, isUp else { return otherwise() }
    guard isFrozen else { return act() }
    world.after(frozenUntil - world.now + 1) { [self] in receive(life, act, otherwise: otherwise) }
  }
}

// MARK: - Upkeep

extension HubNode {
  private func scheduleSweep() {
    let pause = SessionSweeper.pause(Double(world.randomness.below(1001)) / 1000)
    let life = life
    world.after(pause.nanoseconds * world.settings.sweepSlowness) { [self] in
      guard self.life == life else { return }
      if !isFrozen { sweep() }
      if self.life == life { scheduleSweep() }
    }
  }

  private func sweep() {
    guard !isSweeping else { return }
    isSweeping = true
    var link = StoreLink(self, isSweeping: true)
    let life = life
    if world.mutation == .expiresWithoutContact {
      sweepBlindly(&link)
    } else {
      var sweeper = sweeper
      try? sweeper.sweep(&link, at: world.clock)
      if self.life == life { self.sweeper = sweeper }
    }
    if self.life == life { isSweeping = false }
  }

  private func sweepBlindly(_ link: inout StoreLink) {
    let longAgo = WallTime(nanoseconds: 0)
    guard let names = try? link.due(within: .zero) else { return }
    for name in names { _ = try? link.advance(name, contactSince: longAgo) }
  }

  /// Something was committed, or is new to this hub; polls that would find nothing are left out.
  func follow(soon: Bool) {
    guard isUp, !isToFollow else { return }
    isToFollow = true
    let life = life
    let delay = soon ? Int64.ms(1) : world.randomness.time(.ms(1), .ms(100))
    world.after(delay) { [self] in
      guard self.life == life else { return }
      isToFollow = false
      if isFrozen || isFollowing { return follow(soon: false) }
      followNow()
    }
  }

  private func followNow() {
    isFollowing = true
    var link = StoreLink(self)
    let life = life
    var follower = follower
    var isDone = true
    do throws(StoreError) { try follower.follow(&link) } catch { isDone = false }
    guard self.life == life else { return }
    self.follower = follower
    isFollowing = false
    for name in read.take() { pump(name) }
    if !isDone {
      world.after(world.settings.isLarge ? .s(1) : .ms(100)) { [self] in
        if self.life == life { follow(soon: true) }
      }
    }
  }
}
