import HoldfastMediaModel
import HoldfastSession
import HoldfastStores

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
