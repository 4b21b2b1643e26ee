import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import HoldfastTokens

/// What a hub does by itself: it reads what other hubs have changed, and does what is due.
final class Upkeep: Sendable {
  struct Parts: Sendable {
    let stores: StorePool
    let feeds: SessionFeeds
    /// Nil without a token secret.
    let revocations: Revocations?
    /// Other hubs may have revoked tokens.
    let learned: @Sendable () -> Void
    /// For people: the store is lost, or back.
    let note: @Sendable (String) -> Void
    /// A session that has changed, as it is now.
    let observe: @Sendable (LoadedSession) -> Void
    /// Sessions that are to be observed though nobody reads them.
    let observed: @Sendable () -> [Session.Name]
    let observes: @Sendable (Session.Name) -> Bool
    let progressed: @Sendable (HubServer.Thread) -> Void
  }

  private let changed: Wakeup
  private let health: Locked<StoreHealth>
  /// Somebody was not heard since the last sweep.
  private let hasLostBeat: Locked<Bool>
  private let threads: [StoppableThread]

  /// How soon what other hubs have changed is seen.
  static let interval = MediaTime.milliseconds(100)

  init(_ parts: Parts) throws(SystemError) {
    let (changed, health) = (try Wakeup(), Locked(StoreHealth()))
    (self.changed, self.health) = (changed, health)
    let hasLostBeat = Locked(false)
    self.hasLostBeat = hasLostBeat
    let following = try StoppableThread(name: "hub-follow") { stop in
      var follower = SessionFollower(
        parts.feeds, observed: parts.observed, observes: parts.observes, observe: parts.observe)
      var exchange = parts.revocations.map { RevocationExchange($0, learned: parts.learned) }
      var nextExchange = MonotonicTime.now
      while (try? stop.poll([changed.descriptor], until: .now + Self.interval)) != .signalled {
        changed.clear()
        parts.progressed(.following)
        do throws(StoreError) {
          try parts.stores.with { store throws(StoreError) in try follower.follow(&store) }
          parts.note(nil, health)
        } catch {
          parts.note(error, health)
          continue
        }
        guard .now >= nextExchange else { continue }
        nextExchange = .now + RevocationExchange.interval
        if let text = parts.stores.with({ exchange?.run(&$0, at: WallTime.now) }) { parts.note(text) }
      }
    }
    let sweeping = try StoppableThread(name: "hub-sweep") { stop in
      var sweeper = SessionSweeper()
      while !stop.wait(until: .now + SessionSweeper.pause(.random(in: 0...1))) {
        parts.progressed(.sweeping)
        let missedSomebody = hasLostBeat.withLock { hasLostBeat in
          defer { hasLostBeat = false }
          return hasLostBeat
        }
        if missedSomebody { sweeper.missedSomebody() }
        // The follower tells people.
        try? parts.stores.with { store throws(StoreError) in try sweeper.sweep(&store, at: .now) }
      }
    }
    threads = [following, sweeping]
  }

  /// A change was made here: readers are not to wait for the next look.
  func noteChange() { changed.signal() }

  /// There was no room for a request that may have been a beat.
  func noteLostBeat() { hasLostBeat.withLock { $0 = true } }

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
    case (_, .away(let trouble)?):
      if case .away(let before)? = before, before.isLike(trouble) { return nil }
      return "the store \(trouble.reason); sessions stay as they are until it is back"
    case (.some, nil): return "the store is back"
    case (_, _): return nil
    }
  }
}

extension Upkeep.Parts {
  fileprivate func note(_ trouble: StoreError?, _ health: Locked<StoreHealth>) {
    if let text = health.withLock({ $0.note(trouble) }) { note(text) }
  }
}
