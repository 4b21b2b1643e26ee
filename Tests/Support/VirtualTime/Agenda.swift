/// What is to be done in virtual time; actions of the same instant in the order in which they were added. A heap.
package struct Agenda {
  private struct Item {
    let at: Int64
    let order: UInt64
    let act: () -> Void

    func isBefore(_ other: Item) -> Bool { at == other.at ? order < other.order : at < other.at }
  }

  private var items: [Item] = []
  private var added: UInt64 = 0

  package init() {}

  /// When the first action is due.
  package var next: Int64? { items.first?.at }

  package mutating func add(at time: Int64, _ act: @escaping () -> Void) {
    added += 1
    items.append(Item(at: time, order: added, act: act))
    var index = items.count - 1
    while index > 0, items[index].isBefore(items[(index - 1) / 2]) {
      items.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  package mutating func removeFirst() -> (at: Int64, act: () -> Void)? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if !items.isEmpty {
      items[0] = last
      sink()
    }
    return (first.at, first.act)
  }

  private mutating func sink() {
    var index = 0
    while true {
      let left = 2 * index + 1
      guard left < items.count else { return }
      let right = left + 1
      let child = right < items.count && items[right].isBefore(items[left]) ? right : left
      guard items[child].isBefore(items[index]) else { return }
      items.swapAt(index, child)
      index = child
    }
  }

  package mutating func removeAll() { items = [] }
}
