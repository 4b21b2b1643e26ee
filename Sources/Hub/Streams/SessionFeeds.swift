package import HoldfastMediaModel
package import HoldfastPlatform
package import HoldfastSession
package import HoldfastStores

/// The feeds of the sessions that somebody reads here.
package final class SessionFeeds: Sendable {
  private let feeds = Locked<[Session.Name: SessionFeed]>([:])
  private let readable: Wakeup
  private let retryAfter = Locked<MediaTime?>(nil)

  /// `readable` is that of the server whose streams read the feeds.
  package init(readable: Wakeup) { self.readable = readable }

  var names: [Session.Name] { feeds.withLock { Array($0.keys) } }
  var all: [SessionFeed] { feeds.withLock { Array($0.values) } }

  /// Nil while the hub goes on; else when streams are to come again.
  var goodBye: MediaTime? { retryAfter.withLock { $0 } }

  func feed(of name: Session.Name) -> SessionFeed? { feeds.withLock { $0[name] } }

  /// The feed of the session as it was loaded, or the one that is there already.
  func open(_ loaded: LoadedSession) -> FeedReader {
    feeds.withLock { feeds in
      let name = loaded.session.name
      let feed: SessionFeed
      if let known = feeds[name], known.last.epoch == loaded.lastEvent.epoch {
        feed = known
      } else {
        feed = SessionFeed(loaded)
        feeds[name] = feed
      }
      _ = feed.count(1)
      return FeedReader(feed: feed, feeds: self)
    }
  }

  /// A reader's stream: after the event that it knows, or from the state on. The feed is open before the store is read, so
  /// that nothing falls between them.
  package func stream(
    of name: Session.Name, for caller: Session.Caller, _ ticket: LeaseTicket?, after last: EventID?,
    by service: HubService, in store: inout some Store, at now: MonotonicTime
  ) throws(HubFailure) -> SessionEventStream {
    let reader = open(try service.show(name, to: caller, in: &store))
    var page: EventPage?
    if let last { page = try service.read(name, after: last, in: &store) }
    let loaded = try service.load(name, in: &store)
    return SessionEventStream(reader, for: ticket, after: page, loaded, at: now)
  }

  fileprivate func close(_ feed: SessionFeed) {
    feeds.withLock { feeds in
      if feed.count(-1) == 0, feeds[feed.name] === feed { feeds[feed.name] = nil }
    }
  }

  /// Reads what is new in a session that somebody reads.
  func update(_ feed: SessionFeed, from store: inout some Store) throws(StoreError) {
    let page = try store.read(feed.name, after: feed.last)
    let loaded = try store.load(feed.name, asking: nil)
    if feed.take(page, loaded) { readable.signal() }
    if feed.isBroken {
      feeds.withLock { feeds in if feeds[feed.name] === feed { feeds[feed.name] = nil } }
    }
  }

  /// All streams are told to come again, elsewhere if there is another hub.
  package func sayGoodBye(retryAfter: MediaTime) {
    self.retryAfter.withLock { $0 = retryAfter }
    readable.signal()
  }
}

/// One reader's hold on a feed.
final class FeedReader: Sendable {
  let feed: SessionFeed
  let feeds: SessionFeeds

  init(feed: SessionFeed, feeds: SessionFeeds) {
    self.feed = feed
    self.feeds = feeds
  }

  deinit { feeds.close(feed) }
}
