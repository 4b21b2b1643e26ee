import HoldfastMediaModel
import HoldfastPlatform
import Testing

@Suite struct EventLoopTests {
  private enum Event: Sendable { case begin, end }

  /// Counts what it gets, and ends on request or when its timer fires.
  private struct Counter: Driver {
    var timers = Timers()
    var isFinished = false
    let seen: BoundedQueue<String>
    /// Of its timer.
    let delay: MediaTime

    var nextDeadline: MonotonicTime? { timers.next }

    mutating func handle(_ event: Event, at now: Instant) {
      _ = seen.offer("\(event)")
      switch event {
      case .begin: timers.set(1, at: now.monotonic + delay)
      case .end: isFinished = true
      }
    }

    mutating func fireTimers(at now: Instant) {
      while let number = timers.takeDue(at: now.monotonic) {
        _ = seen.offer("timer \(number)")
        isFinished = true
      }
    }

    mutating func wait(for inbox: Inbox<Event>, until deadline: MonotonicTime?) -> Event? {
      inbox.take(until: deadline)
    }
  }

  @Test(
    arguments: [
      ([.begin, .end], .seconds(600), ["begin", "end"]), ([.begin], .zero, ["begin", "timer 1"]),
    ]
      as [([Event], MediaTime, [String])])
  private func `a driver gets its events in order, and its timers fire, until it has finished`(
    events: [Event], delay: MediaTime, expected: [String]
  ) throws {
    let seen = BoundedQueue<String>(capacity: 16)
    let loop = EventLoop<Event>()
    try loop.start(name: "counter") { Counter(seen: seen, delay: delay) }
    for event in events { loop.post(event) }
    loop.join()
    #expect(!loop.post(.begin), "its driver has finished")
    seen.close()
    #expect(Array(sequence(state: ()) { _ in seen.take() }) == expected)
  }

  @Test func `requests to an inbox leave room for answers`() {
    let inbox = Inbox<Int>(capacity: 2)
    #expect(inbox.post(1, leaving: 1) && !inbox.post(2, leaving: 1) && inbox.post(3))
    #expect([inbox.take(), inbox.take()] == [1, 3])
  }

  @Test func `timers fire in the order of their deadlines, and not once they are cancelled`() {
    var timers = Timers()
    let start = MonotonicTime(nanoseconds: 0)
    timers.set(1, at: start + .seconds(3))
    timers.set(2, at: start + .seconds(1))
    timers.set(3, at: start + .seconds(1))
    timers.set(4, at: start + .seconds(2))
    timers.cancel(4)
    #expect(timers.next == start + .seconds(1))
    #expect(timers.takeDue(at: start) == nil)
    let due = sequence(state: timers) { $0.takeDue(at: start + .seconds(9)) }
    #expect(Array(due) == [2, 3, 1])
  }
}
