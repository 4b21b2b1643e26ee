import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores

/// What a hub does by itself: it reads what other hubs have changed, and does what is due.
final class Upkeep: Sendable {
  struct Parts: Sendable {
    let stores: StorePool
    let feeds: SessionFeeds
    /// For people: the store is lost, or back.
    let note: @Sendable (String) -> Void
    /// A session that has changed, as it is now.
    let observe: @Sendable (LoadedSession) -> Void
    /// Sessions that are to be observed though nobody reads them.
    let observed: @Sendable () -> [Session.Name]
  }

  private let changed: Wakeup
  private let health: Locked<StoreHealth>
  private let threads: [StoppableThread]

  /// How soon what other hubs have changed is seen.
  static let interval = MediaTime.milliseconds(100)

  init(_ parts: Parts) throws(SystemError) {
    let (changed, health) = (try Wakeup(), Locked(StoreHealth()))
    (self.changed, self.health) = (changed, health)
    let following = try StoppableThread(name: "hub-follow") { stop in
      var follower = Follower(parts, health)
      while (try? stop.poll([changed.descriptor], until: .now + Self.interval)) != .signalled {
        changed.clear()
        follower.follow()
      }
    }
    let sweeping = try StoppableThread(name: "hub-sweep") { stop in
      var sweeper = Sweeper(parts, health)
      while !stop.wait(until: .now + sweeper.pause) { sweeper.sweep() }
    }
    threads = [following, sweeping]
  }

  /// A change was made here: readers are not to wait for the next look.
  func noteChange() { changed.signal() }

  /// Nil while the store answers.
  var trouble: StoreError? { health.withLock { $0.trouble } }

  func stop() { for thread in threads { thread.stop() } }
}

/// Whether the store answers, as the hub's own threads see it.
struct StoreHealth: Hashable, Sendable {
  private(set) var trouble: StoreError?

  /// What to tell people, where it has changed.
  mutating func note(_ trouble: StoreError?) -> String? {
    let before = self.trouble
    self.trouble = trouble
    switch (before, trouble) {
    case (nil, .away(let reason)?):
      return "the store \(reason.reason); sessions stay as they are until it is back"
    case (.some, nil): return "the store is back"
    case (_, _): return nil
    }
  }
}

/// Reads what is new in the sessions that somebody reads here.
private struct Follower {
  private let parts: Upkeep.Parts
  private let health: Locked<StoreHealth>
  private var last: EventID?
  private var unread: Set<Session.Name> = []

  init(_ parts: Upkeep.Parts, _ health: Locked<StoreHealth>) {
    self.parts = parts
    self.health = health
  }

  mutating func follow() {
    do throws(StoreError) {
      try parts.stores.with { store throws(StoreError) in try follow(&store) }
      note(nil)
    } catch {
      note(error)
    }
  }

  private func note(_ trouble: StoreError?) {
    if let text = health.withLock({ $0.note(trouble) }) { parts.note(text) }
  }

  private mutating func follow(_ store: inout any Store & Sendable) throws(StoreError) {
    let page = try store.changes(after: last)
    switch page {
    case .sessions(let names, _): unread.formUnion(names)
    case .any: unread.formUnion(parts.feeds.names + parts.observed())
    }
    last = page.last
    while let name = unread.first {
      try read(name, from: &store)
      unread.remove(name)
    }
  }

  private func read(_ name: Session.Name, from store: inout any Store & Sendable) throws(StoreError) {
    do throws(StoreError) {
      if let feed = parts.feeds.feed(of: name) {
        try parts.feeds.update(feed, from: &store)
        parts.observe(feed.latest)
      } else if parts.observed().contains(name) {
        parts.observe(try store.load(name, asking: nil))
      }
    } catch .unreadable {
      // Whoever asks for this session is told so; others go on.
    } catch {
      throw error
    }
  }
}

/// Does what is due in all sessions.
private struct Sweeper {
  private let parts: Upkeep.Parts
  private let health: Locked<StoreHealth>
  private var contact = StoreContact()
  private var randomness = SystemRandomNumberGenerator()

  init(_ parts: Upkeep.Parts, _ health: Locked<StoreHealth>) {
    self.parts = parts
    self.health = health
  }

  /// Different for each hub, so that they seldom do the same at once.
  var pause: MediaTime { .milliseconds(Int64.random(in: 150...350)) }

  mutating func sweep() {
    do throws(StoreError) {
      try parts.stores.with { store throws(StoreError) in try sweep(&store) }
    } catch {
      contact.lost()
    }
  }

  private mutating func sweep(_ store: inout any Store & Sendable) throws(StoreError) {
    contact.heard(try store.load(Self.clock, asking: nil).now, at: .now)
    guard let since = contact.since else { return }
    for name in try store.due(within: .zero) {
      do throws(StoreError) {
        _ = try store.advance(name, contactSince: since)
      } catch .unreadable {
        // It stays as it is; the others are not to wait for it.
      } catch {
        throw error
      }
    }
  }

  /// A session that nobody can join, to read the store's clock.
  private static let clock = Session.Name.clock
}
