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
  /// Of the preview, or of the broadcast that is to begin.
  private var nextID: String
  private var isNextUsed = false
  /// Of a broadcast of an earlier process, until it is resumed.
  private var resumedID: String?
  private let makeID: () -> String

  init(resuming resumedID: String?, makeID: @escaping () -> String) {
    nextID = resumedID ?? makeID()
    self.resumedID = resumedID
    self.makeID = makeID
  }

  var isEmpty: Bool { running.isEmpty }
  var areClosing: Bool { running.values.contains(where: \.isClosing) }
  var newest: BroadcastNumber? { running.keys.max() }
  private var current: RunningBroadcast? { newest.flatMap { running[$0] } }

  subscript(number: BroadcastNumber) -> RunningBroadcast? { running[number] }

  mutating func begin(_ stage: RunningBroadcast.Stage) -> (BroadcastNumber, id: String) {
    count += 1
    if isNextUsed, resumedID == nil { renewID() }
    let (number, id) = (BroadcastNumber(count), resumedID.take() ?? nextID)
    isNextUsed = true
    running[number] = RunningBroadcast(id: id, stage: stage)
    return (number, id)
  }

  mutating func advanceNewest(to stage: RunningBroadcast.Stage) {
    if let newest { running[newest]?.stage = stage }
  }

  mutating func remove(_ number: BroadcastNumber) { running[number] = nil }

  mutating func discardInterrupted() { resumedID = nil }

  /// An id says when its broadcast or preview began.
  mutating func enter(_ state: Lifecycle.State) {
    let isCurrent = current.map { !$0.isClosing } ?? false
    if state == .previewing || state == .starting && !isCurrent { renewID() }
  }

  private mutating func renewID() { (nextID, isNextUsed) = (makeID(), false) }

  /// The id of the current broadcast, or of the next one if the current one is closing during a start.
  func id(in state: Lifecycle.State) -> String {
    switch state {
    case .live, .interrupted, .backgrounded, .ending, .ended: current?.id ?? resumedID ?? nextID
    case .starting: current.flatMap { $0.isClosing ? nil : $0.id } ?? nextID
    case .idle, .previewing: nextID
    }
  }
}
