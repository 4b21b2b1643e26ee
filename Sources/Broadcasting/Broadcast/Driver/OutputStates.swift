import HoldfastLifecycle
import HoldfastPublishing

/// What a broadcast's outputs have reported.
struct OutputStates {
  private struct Known {
    let settings: BroadcastMachine.Settings.KnownOutput
    var isDecided = false
    var wasAccepted: Bool
    var hasDelivered: Bool
    var condition: OutputLifecycle.Condition?
    /// Before it was closed.
    var lastCondition: OutputLifecycle.Condition?
    var reason: String?
    var loss = OutputLoss()
  }

  private var known: [String: Known]

  init(_ outputs: [BroadcastMachine.Settings.KnownOutput]) {
    known = Dictionary(
      uniqueKeysWithValues: outputs.map {
        ($0.id, Known(settings: $0, wasAccepted: $0.wasAccepted, hasDelivered: $0.wasAccepted))
      })
  }

  /// Optional ones are nothing to wait for.
  private var required: [Known] { known.values.filter { !$0.settings.isOptional } }

  var isEmpty: Bool { required.isEmpty }
  var haveAllFinished: Bool { required.allSatisfy(\.isDecided) }
  /// An attempt lasts until the output's first media is sent.
  var areAttempting: Bool { !haveAllFinished || states.contains(.connecting) }
  var deliveredCount: Int { known.values.count(where: \.hasDelivered) }
  /// Without optional ones that have nowhere to publish to.
  var states: [OutputLifecycle.Condition.State] {
    known.values.filter { !$0.settings.isOptional || $0.condition.map { $0.state != .closed } ?? false }
      .map { $0.condition?.state ?? .closed }
  }
  var isAnyPublishing: Bool { states.contains(.publishing) }

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

  /// For good.
  func isRefused(_ id: String) -> Bool { known[id]?.lastCondition?.state == .refused }

  subscript(id: String) -> BroadcastMachine.Settings.KnownOutput? { known[id]?.settings }

  mutating func decide(_ id: String) { known[id]?.isDecided = true }

  /// What is refused for good makes no further attempt.
  mutating func beginAttempts() {
    for id in known.keys where known[id]?.lastCondition?.state != .refused { known[id]?.isDecided = false }
  }

  mutating func accept(_ id: String) { known[id]?.wasAccepted = true }

  mutating func change(_ id: String, to condition: OutputLifecycle.Condition, reason: String?) {
    known[id]?.condition = condition
    if condition.state != .closed { known[id]?.lastCondition = condition }
    if condition.state == .publishing { known[id]?.hasDelivered = true }
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
    let outputs = required.sorted { $0.settings.id < $1.settings.id }
    guard !outputs.isEmpty, outputs.allSatisfy({ $0.lastCondition?.state == .refused }) else { return nil }
    let reasons = outputs.map { $0.reason ?? "refused" }
    let hasGivenUp = outputs.contains { $0.lastCondition?.cause == .gaveUp }
    return hasGivenUp ? .gaveUp(reasons) : .refused(reasons)
  }

  /// Why a broadcast that is over counts as failed: no output, or one of those required, ever took any of it.
  func failureToDeliver(requiresAll: Bool) -> BroadcastError? {
    let missing = required.filter { !$0.hasDelivered }.sorted { $0.settings.id < $1.settings.id }
    guard !missing.isEmpty, requiresAll || missing.count == required.count else { return nil }
    if missing.count == required.count, let failureOfAll { return failureOfAll }
    return .notDelivered(missing.map { "\($0.settings.id): \($0.reason ?? "it was never reached")" })
  }
}
