import Testing

@testable import HoldfastMP4

@Suite struct SeekIndexTests {
  /// Fragments of 100 bytes and 10 ticks, each third of them with a keyframe.
  private func index(capacity: Int, fragments: Int) -> SeekIndex {
    var index = SeekIndex(capacity: capacity)
    for number in 0..<fragments {
      _ = index.add(
        from: .init(offset: 1000 + number * 100, time: Int64(number * 10)),
        to: .init(offset: 1100 + number * 100, time: Int64(number * 10 + 10)), isKeyframe: number % 3 == 0)
    }
    _ = index.finish()
    return index
  }

  @Test func `a segment lasts from keyframe to keyframe`() {
    let index = index(capacity: 100, fragments: 8)
    #expect(
      index.segments.map(\.bytes) == [300, 300, 200] && index.segments.map(\.duration) == [30, 30, 20])
    #expect(index.start == .init(offset: 1000, time: 0) && index.end == .init(offset: 1800, time: 80))
  }

  @Test(arguments: [2, 3, 4, 7, 10])
  func `an index never exceeds its capacity, and covers all fragments`(capacity: Int) {
    for fragments in 1...200 {
      let index = index(capacity: capacity, fragments: fragments)
      #expect(index.segments.count <= capacity)
      #expect(index.end == .init(offset: 1000 + fragments * 100, time: Int64(fragments * 10)))
      // Where a segment begins, there is a keyframe.
      var offset = 1000
      for segment in index.segments {
        #expect((offset - 1000) % 300 == 0)
        offset += Int(segment.bytes)
      }
    }
  }

  @Test func `an index is dropped when a duration does not fit`() {
    var index = SeekIndex(capacity: 10)
    let far = Int64(UInt32.max) + 1
    _ = index.add(from: .init(offset: 0, time: 0), to: .init(offset: 100, time: far), isKeyframe: true)
    let change = index.add(
      from: .init(offset: 100, time: far), to: .init(offset: 200, time: far + 10), isKeyframe: true)
    #expect(change == .all && index.segments.isEmpty && index.capacity == 0)
  }
}
