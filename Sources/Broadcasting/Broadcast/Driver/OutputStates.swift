import HoldfastLifecycle
import HoldfastPublishing

struct OutputStates {
  private struct Known {
    let settings: BroadcastMachine.Settings.KnownOutput
    var isDecided = false
    var wasAccepted: Bool
    var condition: OutputLifecycle.Condition?
    var reason: String?
    var loss = OutputLoss()
  }

  private var known: [String: Known]

  init(_ outputs: [BroadcastMachine.Settings.KnownOutput]) {
    known = Dictionary(
      uniqueKeysWithValues: outputs.map { ($0.id, Known(settings: $0, wasAccepted: $0.wasAccepted)) })
  }

  var isEmpty: Bool { known.isEmpty }
  var haveAllFinished: Bool { known.values.allSatisfy(\.isDecided) }
  var acceptedCount: Int { known.values.count(where: \.wasAccepted) }

  /// Outputs whose server has accepted this broadcast.
  var accepted: Set<String> { Set(known.filter(\.value.wasAccepted).keys) }
  var connected: Set<String> {
    Set(
      known.filter {
        switch $0.value.condition?.state {
        case .connecting, .publishing, .stalled, .waiting: true
        case .refused, .closed, nil: false
        }
      }.keys)
  }

  subscript(id: String) -> BroadcastMachine.Settings.KnownOutput? { known[id]?.settings }

  mutating func decide(_ id: String, isAccepted: Bool) {
    known[id]?.isDecided = true
    if isAccepted { known[id]?.wasAccepted = true }
  }

  mutating func change(_ id: String, to condition: OutputLifecycle.Condition, reason: String?) {
    known[id]?.condition = condition
    if condition.state == .publishing { known[id]?.wasAccepted = true }
    if let reason { known[id]?.reason = reason }
  }

  /// Ignores losses while the output publishes: they are not part of an outage.
  mutating func add(_ loss: OutputLoss, to id: String) {
    if known[id]?.condition?.state != .publishing { known[id]?.loss.add(loss) }
  }

  /// Returns and clears the loss of the last outage.
  mutating func takeLoss(of id: String) -> OutputLoss {
    defer { known[id]?.loss = OutputLoss() }
    return known[id]?.loss ?? OutputLoss()
  }

  /// Why no output can take the broadcast; nil while one still may.
  var failureOfAll: BroadcastError? {
    let states = known.sorted { $0.key < $1.key }.map(\.value)
    guard !states.isEmpty, states.allSatisfy({ $0.condition?.state == .refused }) else { return nil }
    let reasons = states.map { $0.reason ?? "refused" }
    let hasGivenUp = states.contains { $0.condition?.cause == .gaveUp }
    return hasGivenUp ? .gaveUp(reasons) : .refused(reasons)
  }
}
