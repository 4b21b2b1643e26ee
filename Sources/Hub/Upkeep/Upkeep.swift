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
    /// Also those that nobody has joined here: their members may publish here.
    let observesAll: Bool
    let health: Locked<StoreHealth>
    let progressed: @Sendable (HubServer.Thread) -> Void
  }

  private let changed: Wakeup
  /// Somebody was not heard since the last sweep.
  private let hasLostBeat: Locked<Bool>
  private let threads: [StoppableThread]

  /// How soon what other hubs have changed is seen.
  static let interval = MediaTime.milliseconds(100)

  init(_ parts: Parts) throws(SystemError) {
    let changed = try Wakeup()
    self.changed = changed
    let hasLostBeat = Locked(false)
    self.hasLostBeat = hasLostBeat
    let following = try StoppableThread(name: "hub-follow") { stop in
      var follower = SessionFollower(
        parts.feeds, observed: parts.observed, observes: parts.observes, observe: parts.observe,
        observesAll: parts.observesAll)
      var exchange = parts.revocations.map { RevocationExchange($0, learned: parts.learned) }
      var nextExchange = MonotonicTime.now
      while (try? stop.poll([changed.descriptor], until: .now + Self.interval)) != .signalled {
        changed.clear()
        parts.progressed(.following)
        do throws(StoreError) {
          try parts.stores.with { store throws(StoreError) in try follower.follow(&store) }
          parts.note(nil)
        } catch {
          parts.note(error)
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
        // The follower tells people of what can't be read, and the store's own watch of what can't be written.
        try? parts.stores.with { store throws(StoreError) in try sweeper.sweep(&store, at: .now) }
      }
    }
    let metering = try StoppableThread(name: "hub-meters") { stop in
      let meters = SessionMeters(parts.feeds)
      while !stop.wait(until: .now + SessionMeters.interval) {
        parts.progressed(.metering)
        try? parts.stores.with { store throws(StoreError) in try meters.move(by: &store, at: .now) }
      }
    }
    threads = [following, sweeping, metering]
  }

  /// A change was made here: readers are not to wait for the next look.
  func noteChange() { changed.signal() }

  /// There was no room for a request that may have been a beat.
  func noteLostBeat() { hasLostBeat.withLock { $0 = true } }

  func stop() { for thread in threads { thread.stop() } }
}

extension Upkeep.Parts {
  fileprivate func note(_ trouble: StoreError?) {
    if let text = health.withLock({ $0.note(reading: trouble) }) { note(text) }
  }
}

/// Keeps the meters of people here moving while those who speak are at other hubs: what these hear is in the store.
///
/// The store is asked once a round at most for each session, and not for those that nobody looks at, where nobody has
/// spoken, or whose levels come through this hub. After an answer without levels it is left alone for two seconds.
struct SessionMeters: Sendable {
  private let feeds: SessionFeeds

  static let interval = MediaTime.milliseconds(300)

  init(_ feeds: SessionFeeds) { self.feeds = feeds }

  func move(by store: inout some Store, at now: MonotonicTime) throws(StoreError) {
    for feed in feeds.all where feed.lacksLevels(at: now) {
      let sounds = Session.Sound.all(of: try store.heard(in: feed.name))
      feeds.take(sounds.mapValues(\.level), of: feed.name, from: .store, at: now)
    }
  }
}
