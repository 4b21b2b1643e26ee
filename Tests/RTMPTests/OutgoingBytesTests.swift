import HoldfastMediaModel
import TestRandomness
import Testing

@Suite struct OutgoingBytesTests {
  @Test func `bytes are taken in the order in which they were added`() {
    var randomness = SplitMix64(seed: 5)
    var queue = OutgoingBytes()
    var model: [UInt8] = []
    for _ in 0..<2000 {
      let new = randomness.bytes(Int.random(in: 0...1500, using: &randomness))
      queue.append(contentsOf: new)
      model += new
      let count = Int.random(in: 0...1500, using: &randomness)
      let front = queue.withUnsent { span in (0..<min(count, span.count)).map { span[$0] } }
      #expect(front == Array(model.prefix(count)))
      queue.removeFirst(count)
      model.removeFirst(min(count, model.count))
      #expect(queue.count == model.count)
    }
    #expect(queue.takeAll() == model && queue.isEmpty)
  }

  @Test func `removing too many or a negative number of bytes does no harm`() {
    var queue = OutgoingBytes()
    queue.append(contentsOf: [1, 2, 3])
    queue.removeFirst(-5)
    #expect(queue.count == 3)
    queue.removeFirst(.max)
    #expect(queue.isEmpty)
    queue.append(4)
    #expect(queue.takeAll() == [4])
  }
}
