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

  var all: [SessionFeed] { feeds.withLock { Array($0.values) } }

  /// Nil while the hub goes on; else when streams are to come again.
  var goodBye: MediaTime? { retryAfter.withLock { $0 } }

  func feed(of name: Session.Name) -> SessionFeed? { feeds.withLock { $0[name] } }

  /// The feed of the session as it was loaded, or the one that is there already. A reader of an older epoch than the feed's
  /// comes again.
  func open(_ loaded: LoadedSession) -> (reader: FeedReader, isNew: Bool) {
    let (reader, isNew, outdated) = feeds.withLock { feeds -> (FeedReader, Bool, SessionFeed?) in
      let name = loaded.session.name
      let known = feeds[name]
      if let known, known.last.epoch >= loaded.lastEvent.epoch {
        _ = known.count(1)
        return (FeedReader(feed: known, feeds: self), false, nil)
      }
      let new = SessionFeed(loaded)
      feeds[name] = new
      _ = new.count(1)
      return (FeedReader(feed: new, feeds: self), true, known)
    }
    if let outdated {
      outdated.markBroken()
      readable.signal()
    }
    return (reader, isNew)
  }

  /// A reader's stream: after the event that it knows, or from the state on.
  package func stream(
    of name: Session.Name, for caller: Session.Caller, after last: EventID?, by service: HubService,
    in store: inout some Store, at now: MonotonicTime
  ) throws(HubFailure) -> SessionEventStream {
    let loaded = try service.show(name, to: caller, in: &store)
    let (reader, isNew) = open(loaded)
    var page: EventPage?
    if let last { page = try service.read(name, after: last, in: &store) }
    let stream = SessionEventStream(reader, for: caller, after: last, page, loaded, at: now)
    // What was committed before the feed was there is said to nobody else; and no reader starts ahead of its feed.
    if isNew || stream.cursor > reader.feed.last {
      do throws(StoreError) { try update(reader.feed, from: &store) } catch { throw .store(error) }
    }
    return stream
  }

  /// For a reader of something other than events, which may go on for as long as the feed admits its caller.
  func watch(
    _ name: Session.Name, for caller: Session.Caller, by service: HubService, in store: inout some Store
  ) throws(HubFailure) -> (reader: FeedReader, loaded: LoadedSession) {
    let loaded = try service.show(name, to: caller, in: &store)
    let (reader, isNew) = open(loaded)
    if isNew {
      do throws(StoreError) { try update(reader.feed, from: &store) } catch { throw .store(error) }
    }
    return (reader, loaded)
  }

  fileprivate func close(_ feed: SessionFeed) {
    feeds.withLock { feeds in
      if feed.count(-1) == 0, feeds[feed.name] === feed { feeds[feed.name] = nil }
    }
  }

  /// Reads what is new in a session that somebody reads.
  func update(_ feed: SessionFeed, from store: inout some Store) throws(StoreError) {
    // In this order: nobody is shut out by a session whose last events are not read yet.
    let loaded = try store.load(feed.name, asking: nil)
    let page = try store.read(feed.name, after: feed.last)
    feed.take(page, loaded)
    readable.signal()
    if feed.isBroken {
      feeds.withLock { feeds in if feeds[feed.name] === feed { feeds[feed.name] = nil } }
    }
  }

  /// Tells people who read the session here how loud its members are.
  func take(
    _ levels: [Session.Lease: Int], of name: Session.Name, from origin: SessionFeed.LevelsOrigin,
    at now: MonotonicTime
  ) {
    if feed(of: name)?.take(levels, from: origin, at: now) == true { readable.signal() }
  }

  /// All streams are told to come again, elsewhere if there is another hub.
  package func sayGoodBye(retryAfter: MediaTime) {
    self.retryAfter.withLock { $0 = retryAfter }
    readable.signal()
  }
}

/// Somebody who is told how loud the members are, for as long as it is held.
final class LevelsListener: Sendable {
  private let feed: SessionFeed

  init(to feed: SessionFeed) {
    self.feed = feed
    feed.countListeners(1)
  }

  deinit { feed.countListeners(-1) }
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
