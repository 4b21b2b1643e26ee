import HoldfastMediaModel

/// When somebody has to be called next. A timer that was set again is skipped by its owner, who knows the instant.
struct TimerQueue {
  struct Timer {
    let due: MonotonicTime
    let owner: Int
  }

  private var heap: [Timer] = []

  var next: MonotonicTime? { heap.first?.due }

  mutating func add(_ owner: Int, at due: MonotonicTime) {
    heap.append(Timer(due: due, owner: owner))
    var child = heap.count - 1
    while child > 0, case let parent = (child - 1) / 2, heap[child].due < heap[parent].due {
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// The first that is due.
  mutating func take(at now: MonotonicTime) -> Timer? {
    guard let first = heap.first, first.due <= now, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while case let left = 2 * parent + 1, left < heap.count {
      let right = left + 1
      let child = right < heap.count && heap[right].due < heap[left].due ? right : left
      guard heap[child].due < heap[parent].due else { break }
      heap.swapAt(child, parent)
      parent = child
    }
    return first
  }
}
