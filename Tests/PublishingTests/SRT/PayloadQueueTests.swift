import Testing

@testable import HoldfastPublishing

@Suite struct PayloadQueueTests {
  /// Takes as many payloads as there is `room` for.
  private func drain(_ queue: inout PayloadQueue, includingRest: Bool, room: Int = .max) -> [[UInt8]] {
    var taken: [[UInt8]] = []
    queue.drain(includingRest: includingRest) { payload in
      guard taken.count < room else { return false }
      taken.append(Array(payload))
      return true
    }
    return taken
  }

  @Test func `full payloads go, the rest only when it is asked for`() {
    var queue = PayloadQueue(size: 3)
    queue.append([1, 2])
    #expect(drain(&queue, includingRest: false) == [])
    queue.append([3, 4, 5, 6, 7])
    #expect(drain(&queue, includingRest: false) == [[1, 2, 3], [4, 5, 6]])
    #expect(queue.count == 1)
    #expect(drain(&queue, includingRest: true) == [[7]])
    #expect(queue.count == 0)
  }

  @Test func `what is not taken stays, in its order`() {
    var queue = PayloadQueue(size: 2)
    queue.append([1, 2, 3, 4, 5])
    #expect(drain(&queue, includingRest: true, room: 1) == [[1, 2]])
    #expect(queue.count == 3)
    queue.append([6])
    #expect(drain(&queue, includingRest: true) == [[3, 4], [5, 6]])
  }

  @Test(arguments: [1, 2, 7, 188, 1316]) func `nothing is lost or doubled, however it comes`(room: Int) {
    var queue = PayloadQueue(size: 1316)
    var (given, got): ([UInt8], [UInt8]) = ([], [])
    for round in 0..<50 {
      let bytes = (0..<(round * 37)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ round) }
      given += bytes
      queue.append(bytes)
      got += drain(&queue, includingRest: round % 3 == 0, room: room).joined()
    }
    got += drain(&queue, includingRest: true).joined()
    #expect(got == given)
  }
}
