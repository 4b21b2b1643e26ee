import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestStores
import Testing

@testable import HoldfastHub

/// The meters of people at a hub, while those who speak are at another one.
@Suite struct SessionMetersTests {
  /// Counts how often it is asked for levels.
  private struct CountingStore: ForwardingStore {
    private var store = MemoryStore()
    private(set) var asked = 0

    mutating func heard(in name: Session.Name) throws(StoreError) -> [Session.Lease: String] {
      asked += 1
      return try store.heard(in: name)
    }

    mutating func forward<Answer>(
      _ verb: (inout MemoryStore) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer { try verb(&store) }

    mutating func pass(_ time: MediaTime) { store.pass(time) }
  }

  /// A hub that people are at, and another one that a box speaks to.
  private struct Scene {
    let service = HubService.ofTests()
    let feeds: SessionFeeds
    let meters: SessionMeters
    var store = CountingStore()
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private(set) var max: LeaseTicket?
    private(set) var pia: LeaseTicket?

    init() throws {
      feeds = SessionFeeds(readable: try Wakeup())
      meters = SessionMeters(feeds)
      max = try join(1, "Max", .box)
      pia = try join(2, "Pia", .person)
    }

    private mutating func join(
      _ number: Int, _ name: String, _ kind: Session.Member.Kind
    ) throws -> LeaseTicket {
      let answer = try service.join(number, name, kind, by: Session.Credential(.local), in: &store)
      return try #require(service.keys.ticket(answer.place.lease, in: .hall, token: nil))
    }

    /// At the other hub.
    mutating func speak(_ level: Int = 90) throws {
      let scores = Session.SpeechScores(immediate: 4.8, medium: 113, long: 300, loudness: -20)
      _ = try service.levels(
        Session.Sound(level: level, scores: scores), by: try #require(max), in: .hall, in: &store)
      if let feed = feeds.feed(of: .hall) { try feeds.update(feed, from: &store) }
    }

    mutating func listen(as listener: LeaseTicket?) throws -> SessionEventStream {
      try feeds.stream(
        of: .hall, for: try #require(listener).caller, after: nil, by: service, in: &store, at: now)
    }

    mutating func pass(_ time: MediaTime) {
      now = now + time
      store.pass(time)
    }

    /// Rounds of the meters' thread.
    mutating func move(rounds: Int = 1) throws {
      for _ in 0..<rounds {
        pass(SessionMeters.interval)
        try meters.move(by: &store, at: now)
      }
    }

    func events(of stream: inout SessionEventStream) -> String {
      var text = ""
      while case .bytes(let bytes) = stream.next(at: now) { text += String(decoding: bytes, as: UTF8.self) }
      return text
    }
  }

  @Test func `levels that come to another hub are told here, without a number`() throws {
    var scene = try Scene()
    var stream = try scene.listen(as: scene.pia)
    try scene.speak()
    _ = scene.events(of: &stream)
    try scene.move()
    #expect(
      scene.events(of: &stream) == "event: levels\ndata: {\"1000000000000001\":90}\n\n")
    try scene.speak(80)
    try scene.move()
    #expect(scene.events(of: &stream).contains(":80}"))
  }

  @Test func `the store is asked once a round at most, and by nobody before somebody speaks`() throws {
    var scene = try Scene()
    let streams = try (0..<3).map { _ in try scene.listen(as: scene.pia) }
    try scene.move(rounds: 5)
    #expect(scene.store.asked == 0)
    for round in 1...4 {
      try scene.speak()
      try scene.move()
      #expect(scene.store.asked == round)
    }
    withExtendedLifetime(streams) {}
  }

  @Test func `nobody is asked for a session that no person reads`() throws {
    var scene = try Scene()
    try scene.speak()
    try scene.move()
    let box = try scene.listen(as: scene.max)
    try scene.speak()
    try scene.move()
    #expect(scene.store.asked == 0)
    var person: SessionEventStream? = try scene.listen(as: scene.pia)
    try scene.move()
    #expect(scene.store.asked == 1)
    withExtendedLifetime(person) {}
    person = nil
    try scene.speak()
    try scene.move()
    #expect(scene.store.asked == 1)
    withExtendedLifetime(box) {}
  }

  @Test func `levels that come through this hub are enough for 600 ms`() throws {
    var scene = try Scene()
    let stream = try scene.listen(as: scene.pia)
    try scene.speak()
    scene.feeds.take([:], of: .hall, from: .member, at: scene.now)
    try scene.move()
    #expect(scene.store.asked == 0)
    try scene.move()
    #expect(scene.store.asked == 1)
    withExtendedLifetime(stream) {}
  }

  @Test func `a speaker who pauses is looked for each two seconds`() throws {
    var scene = try Scene()
    var stream = try scene.listen(as: scene.pia)
    try scene.speak()
    // Scores count for a second, in which each round asks.
    try scene.move(rounds: 4)
    let asked = scene.store.asked
    #expect(asked == 4)
    try scene.move(rounds: 6)
    #expect(scene.store.asked == asked)
    try scene.move()
    #expect(scene.store.asked == asked + 1)
    _ = scene.events(of: &stream)
    try scene.move(rounds: 6)
    try scene.speak()
    try scene.move()
    #expect(scene.events(of: &stream).contains("event: levels"))
  }
}
