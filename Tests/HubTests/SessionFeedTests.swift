import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import Testing

@testable import HoldfastHTTP
@testable import HoldfastHub

@Suite struct SessionFeedTests {
  private let loaded: LoadedSession
  private let reader = Session.Caller.token(Session.Credential(.local))

  init() throws {
    var store = MemoryStore()
    loaded = try store.load(.hall, asking: nil)
  }

  private func event(_ sequence: UInt64) -> StoredEvent {
    StoredEvent(id: EventID(epoch: loaded.lastEvent.epoch, sequence: sequence), json: #"{"event":"locked"}"#)
  }

  @Test func `events that follow each other are read in order`() {
    let feed = SessionFeed(loaded)
    feed.take(.events([event(1), event(2)]), loaded)
    // Another thread has read some of the same.
    feed.take(.events([event(2), event(3)]), loaded)
    #expect(feed.last.sequence == 3 && !feed.isBroken)
  }

  @Test(arguments: [[2], [1, 3], [1, 2, 4]] as [[UInt64]])
  func `a hole in what a store gives lets readers begin anew`(sequences: [UInt64]) {
    let feed = SessionFeed(loaded)
    feed.take(.events(sequences.map(event)), loaded)
    guard case .expired = feed.next(after: loaded.lastEvent, for: reader) else {
      Issue.record("a reader goes on over a hole")
      return
    }
  }

  @Test func `a reader that is ahead of the feed begins anew`() {
    let feed = SessionFeed(loaded)
    feed.take(.events([event(1), event(2)]), loaded)
    guard case .expired = feed.next(after: event(3).id, for: reader) else {
      Issue.record("a reader waits for events that it takes for ones that it has")
      return
    }
  }

  /// Whatever the hub asks the store for, something happens right after the answer.
  @Test(arguments: [[.load], [.read], [.load, .read]] as [Set<EventfulStore.Verb>], 1...4)
  func `nothing is lost or told twice, wherever a reader comes again`(
    eventful: Set<EventfulStore.Verb>, taken: Int
  ) throws {
    let (service, feeds) = (HubService.ofTests(), SessionFeeds(readable: try Wakeup()))
    var (store, follower) = (EventfulStore(), SessionFollower(feeds))
    _ = try service.join(1, "Anna", .person, by: Session.Credential(.local), in: &store)

    func stream(after last: EventID?) throws -> SessionEventStream {
      try feeds.stream(of: .hall, for: reader, after: last, by: service, in: &store, at: .now)
    }
    var first = try stream(after: nil)
    for command in [Session.Command.lock, .lockScreens, .unlock] {
      _ = try store.perform(in: .hall, by: reader) { _ in command }
    }
    try follower.follow(&store)
    // A reader may have got a part of what there was.
    let known = Array(Self.ids(of: &first).prefix(taken))
    #expect(known.count == taken)
    store.eventful = eventful
    var second = try stream(after: known.last)
    var seen = (known + Self.ids(of: &second)).map(\.sequence)
    try follower.follow(&store)
    seen += Self.ids(of: &second).map(\.sequence)
    store.eventful = []
    try follower.follow(&store)
    seen += Self.ids(of: &second).map(\.sequence)
    let last = try store.load(.hall, asking: nil).lastEvent
    #expect(seen == Array(try #require(seen.first)...last.sequence))
    withExtendedLifetime(first) {}
  }

  @Test func `readers of before a new epoch come again, also if another one came first`() throws {
    let (service, feeds) = (HubService.ofTests(), SessionFeeds(readable: try Wakeup()))
    var store = MemoryStore()
    _ = try service.join(1, "Anna", .person, by: Session.Credential(.local), in: &store)
    func isOver(_ stream: inout SessionEventStream) -> Bool {
      for _ in 0..<10 { if case .over = stream.next(at: .now) { return true } }
      return false
    }
    var old = try feeds.stream(of: .hall, for: reader, after: nil, by: service, in: &store, at: .now)
    #expect(!isOver(&old))
    let before = try store.load(.hall, asking: nil)
    store.failOver(to: store)
    var new = try feeds.stream(of: .hall, for: reader, after: nil, by: service, in: &store, at: .now)
    #expect(isOver(&old) && !isOver(&new))
    // What was loaded before comes late, and takes nobody's feed away.
    #expect(!feeds.open(before).isNew && !isOver(&new))
  }

  /// Of the frames that there are; empty at the end of the stream.
  private static func ids(of stream: inout SessionEventStream) -> [EventID] {
    var ids: [EventID] = []
    while case .bytes(let bytes) = stream.next(at: .now) {
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("id: ") {
        ids += [EventID(String(line.dropFirst(4)))].compactMap(\.self)
      }
    }
    return ids
  }
}
