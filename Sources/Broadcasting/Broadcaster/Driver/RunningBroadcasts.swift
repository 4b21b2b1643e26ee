import HoldfastLifecycle

/// The number of a broadcast in its process.
package struct BroadcastNumber: Hashable, Comparable, Sendable {
  private let value: Int

  fileprivate init(_ value: Int) { self.value = value }

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

struct RunningBroadcast {
  enum Stage {
    case open
    case preparing(Int)
    case onAir
    case pausing(Int)
    /// With the gate's refusal, if that is why it ends.
    case closing(Int, GateError?)
  }

  let id: String
  var stage: Stage

  var isClosing: Bool { if case .closing = stage { true } else { false } }
}

/// The broadcasts of a process: at most one is in progress, earlier ones may still be closing.
struct RunningBroadcasts {
  private var running: [BroadcastNumber: RunningBroadcast] = [:]
  private var count = 0
  private var nextID: String
  private let makeID: () -> String

  init(firstID: String?, makeID: @escaping () -> String) {
    nextID = firstID ?? makeID()
    self.makeID = makeID
  }

  var isEmpty: Bool { running.isEmpty }
  var newest: BroadcastNumber? { running.keys.max() }

  subscript(number: BroadcastNumber) -> RunningBroadcast? { running[number] }

  mutating func begin(_ stage: RunningBroadcast.Stage) -> (BroadcastNumber, id: String) {
    count += 1
    let (number, id) = (BroadcastNumber(count), nextID)
    running[number] = RunningBroadcast(id: id, stage: stage)
    discardNextID()
    return (number, id)
  }

  mutating func advanceNewest(to stage: RunningBroadcast.Stage) {
    if let newest { running[newest]?.stage = stage }
  }

  mutating func remove(_ number: BroadcastNumber) { running[number] = nil }

  mutating func discardNextID() { nextID = makeID() }

  /// The id of the current broadcast, or of the next one if the current one is closing during a start.
  func id(in state: Lifecycle.State) -> String {
    let current = newest.flatMap { running[$0] }
    return switch state {
    case .live, .interrupted, .backgrounded, .ending, .ended: current?.id ?? nextID
    case .starting: current.flatMap { $0.isClosing ? nil : $0.id } ?? nextID
    case .idle, .previewing: nextID
    }
  }
}
