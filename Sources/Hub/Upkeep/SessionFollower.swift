import HoldfastMediaModel
package import HoldfastSession
package import HoldfastStores

/// Reads what is new in the sessions that somebody reads here, whichever hub has changed them.
package struct SessionFollower: Sendable {
  private let feeds: SessionFeeds
  private let observed: @Sendable () -> [Session.Name]
  private let observes: @Sendable (Session.Name) -> Bool
  private let observe: @Sendable (LoadedSession) -> Void
  /// Not all that there were at the beginning are observed yet.
  private var observesAll: Bool
  private var last: EventID?
  /// In an order that depends on the names alone.
  private var unread: [Session.Name] = []

  /// `observe` is told of the sessions that are read, and of those `observed` that nobody reads; `observes` says of one
  /// whether it is among these. With `observesAll` it is told at first of all that there are.
  package init(
    _ feeds: SessionFeeds, observed: @escaping @Sendable () -> [Session.Name] = { [] },
    observes: @escaping @Sendable (Session.Name) -> Bool = { _ in false },
    observe: @escaping @Sendable (LoadedSession) -> Void = { _ in }, observesAll: Bool = false
  ) {
    self.feeds = feeds
    self.observed = observed
    self.observes = observes
    self.observe = observe
    self.observesAll = observesAll
  }

  /// What could not be read is read the next time.
  package mutating func follow(_ store: inout some Store) throws(StoreError) {
    let page = try store.changes(after: last)
    var changed =
      switch page {
      case .sessions(let names, _): names
      case .any: feeds.all.map(\.name) + observed()
      }
    if last == nil, observesAll { changed += try store.due(within: .seconds(366 * 86_400)) }
    unread = Set(unread + changed).sorted { $0.folded > $1.folded }
    last = page.last
    while let name = unread.last {
      try read(name, from: &store)
      unread.removeLast()
    }
    observesAll = false
  }

  private func read(_ name: Session.Name, from store: inout some Store) throws(StoreError) {
    do throws(StoreError) {
      if let feed = feeds.feed(of: name) {
        try feeds.update(feed, from: &store)
        observe(feed.latest)
      } else if observes(name) || observesAll {
        observe(try store.load(name, asking: nil))
      }
    } catch .unreadable {
      // Whoever asks for this session is told so; others go on.
    }
  }
}
