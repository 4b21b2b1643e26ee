import Testing

@testable import HoldfastMediaServer

@Suite struct GOPCacheTests {
  @Test func `the cache holds everything since the last keyframe`() {
    var cache = GOPCache(capacity: 1000)
    cache.add(TestMessages.picture(isKey: true), at: 0)
    cache.add(TestMessages.sound(), at: 10)
    cache.add(TestMessages.picture(isKey: true), at: 20)
    cache.add(TestMessages.sound(), at: 30)
    cache.add(TestMessages.picture(isKey: false), at: 40)
    #expect(cache.entries.map(\.time) == [20, 30, 40])
  }

  @Test func `the cache is empty before the first keyframe`() {
    var cache = GOPCache(capacity: 1000)
    cache.add(TestMessages.sound(), at: 0)
    cache.add(TestMessages.picture(isKey: false), at: 10)
    #expect(cache.entries.isEmpty)
  }

  @Test func `the cache drops a group that does not fit, and restarts at the next keyframe`() {
    var cache = GOPCache(capacity: 40 + 4 * GOPCache.entrySize)
    cache.add(TestMessages.picture(isKey: true), at: 0)
    for time in 1...10 { cache.add(TestMessages.picture(isKey: false), at: Int64(time)) }
    #expect(cache.bytes == 0)
    cache.add(TestMessages.picture(isKey: true), at: 11)
    #expect(cache.entries.map(\.time) == [11])
  }

  @Test func `the cache never exceeds its capacity`() {
    var cache = GOPCache(capacity: 100 + 4 * GOPCache.entrySize)
    var most = 0
    for time in 0..<200 {
      cache.add(
        TestMessages.picture(isKey: time % 7 == 0, Array(repeating: 0, count: time % 40)), at: Int64(time))
      most = max(most, cache.bytes)
    }
    #expect(most <= cache.capacity && most > 0)
  }
}
