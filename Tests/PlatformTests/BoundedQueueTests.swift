import HoldfastMediaModel
import HoldfastPlatform
import Testing

@Suite struct BoundedQueueTests {
  private struct Token: ~Copyable, Sendable {
    let alive: Locked<Int>
    init(_ alive: Locked<Int>) {
      self.alive = alive
      alive.withLock { $0 += 1 }
    }
    deinit { alive.withLock { $0 -= 1 } }
  }

  @Test func `elements are taken in order, and a full queue refuses more`() {
    let queue = BoundedQueue<Int>(capacity: 2)
    #expect([1, 2, 3].map { queue.offer($0) } == [true, true, false])
    #expect(queue.take() == 1)
    #expect(queue.offer(4))
    #expect([queue.take(), queue.take()] == [2, 4])
  }

  @Test(arguments: [1, 15, 16, 17, 100])
  func `a queue that grows keeps its order, also where its ring has turned`(capacity: Int) {
    let queue = BoundedQueue<Int>(capacity: capacity)
    for number in 0..<capacity / 2 { #expect(queue.offer(number) && queue.take() == number) }
    for number in 0..<capacity { #expect(queue.offer(number)) }
    #expect(!queue.offer(0))
    #expect((0..<capacity).map { _ in queue.take() } == Array(0..<capacity))
    #expect(queue.take(until: .now) == nil)
  }

  @Test func `every element is destroyed exactly once, in the queue or taken from it`() {
    let alive = Locked(0)
    do {
      let queue = BoundedQueue<Token>(capacity: 2)
      for _ in 0..<3 { _ = queue.offer(Token(alive)) }
      #expect(alive.withLock { $0 } == 2)
      do { _ = queue.take() }
      #expect(alive.withLock { $0 } == 1)
    }
    #expect(alive.withLock { $0 } == 0)
  }

  @Test func `an empty queue blocks until the deadline; a closed one gives its rest, then nothing`() {
    let queue = BoundedQueue<Int>(capacity: 2)
    #expect(queue.take(until: .now + .milliseconds(20)) == nil)
    _ = queue.offer(1)
    queue.close()
    #expect(!queue.offer(2))
    #expect([queue.take(), queue.take()] == [1, nil])
  }

  @Test func `an offered element wakes the waiting thread`() throws {
    let queue = BoundedQueue<Int>(capacity: 4)
    let sum = Locked(0)
    let thread = try WorkerThread(name: "consumer") {
      while let number = queue.take() { sum.withLock { $0 += number } }
    }
    var offered = 0
    while offered < 1000 {
      if queue.offer(1) { offered += 1 }
    }
    queue.close()
    thread.join()
    #expect(sum.withLock { $0 } == 1000)
  }
}

@Suite struct WakeupTests {
  @Test func `a signal wakes the waiting thread and stays set`() throws {
    let stop = try Wakeup()
    #expect(!stop.isSignalled && !stop.wait(until: .now + .milliseconds(5)))
    let thread = try WorkerThread(name: "waiter") { _ = stop.wait(until: .now + .seconds(60)) }
    stop.signal()
    thread.join()
    #expect(stop.isSignalled && stop.wait(until: .now))
  }
}
