import HoldfastSession
import HoldfastStores
import Testing

@testable import HoldfastHub

@Suite struct SessionFeedTests {
  private let loaded: LoadedSession

  init() throws {
    var store = MemoryStore()
    loaded = try store.load(try Session.Name("Hall"), asking: nil)
  }

  private func event(_ sequence: UInt64) -> StoredEvent {
    StoredEvent(id: EventID(epoch: loaded.lastEvent.epoch, sequence: sequence), json: #"{"event":"locked"}"#)
  }

  @Test func `events that follow each other are read in order`() {
    let feed = SessionFeed(loaded)
    _ = feed.take(.events([event(1), event(2)]), loaded)
    // Another thread has read some of the same.
    _ = feed.take(.events([event(2), event(3)]), loaded)
    #expect(feed.last.sequence == 3)
    #expect(!feed.isBroken)
  }

  @Test(arguments: [[2], [1, 3], [1, 2, 4]] as [[UInt64]])
  func `a hole in what a store gives lets readers begin anew`(sequences: [UInt64]) {
    let feed = SessionFeed(loaded)
    _ = feed.take(.events(sequences.map(event)), loaded)
    guard case .expired = feed.next(after: loaded.lastEvent, for: nil) else {
      Issue.record("a reader goes on over a hole")
      return
    }
  }
}
