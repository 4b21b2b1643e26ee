/// What is going to happen, the earliest first; of the same instant, what was asked for first.
struct Agenda {
  private struct Entry {
    let at: Int64
    let order: Int
    let act: () -> Void

    func isBefore(_ other: Entry) -> Bool { at == other.at ? order < other.order : at < other.at }
  }

  private var heap: [Entry] = []
  private var count = 0

  mutating func add(at: Int64, _ act: @escaping () -> Void) {
    count += 1
    heap.append(Entry(at: at, order: count, act: act))
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  var next: Int64? { heap.first?.at }

  mutating func popFirst() -> (at: Int64, act: () -> Void)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.at, first.act)
  }

  private mutating func sink() {
    var parent = 0
    while 2 * parent + 1 < heap.count {
      let (left, right) = (2 * parent + 1, 2 * parent + 2)
      let least = right < heap.count && heap[right].isBefore(heap[left]) ? right : left
      guard heap[least].isBefore(heap[parent]) else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
