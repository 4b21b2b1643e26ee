import Testing

@testable import HoldfastMediaServer

@Suite struct GOPCacheTests {
  /// The times of what a cache holds after `messages`, which come each 10 ms.
  private func cachedTimes(_ messages: [StreamMessage]) -> [Int64] {
    var cache = GOPCache(capacity: 1000)
    for (index, message) in messages.enumerated() { cache.add(message, at: Int64(index) * 10) }
    return cache.entries.map(\.time)
  }

  @Test func `the cache holds everything since the last keyframe`() {
    let (key, sound) = (TestMessages.picture(isKey: true), TestMessages.sound())
    #expect(cachedTimes([key, sound, key, sound, TestMessages.picture(isKey: false)]) == [20, 30, 40])
  }

  @Test func `the cache is empty before the first keyframe`() {
    #expect(cachedTimes([TestMessages.sound(), TestMessages.picture(isKey: false)]) == [])
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
