import HoldfastMediaModel
import HoldfastPlatform

/// Decides which renditions are encoded for viewers of the live stream: while somebody watches, and as long as the
/// machine has time for what nobody else uses.
struct ViewedEncodes {
  enum Action: Hashable {
    case refuse(RenditionID, why: String)
  }

  private enum State {
    case idle
    /// Decided once the machine's load is known.
    case requested
    case running(since: MonotonicTime, unwatchedSince: MonotonicTime?)
  }

  /// What each takes of what the most expensive encode does.
  private let costs: [RenditionID: Double]
  /// Whether viewers may want what nobody else uses; otherwise they need not be known, nor the load.
  let needsLoad: Bool
  private var states: [RenditionID: State]
  /// Those whose encoders fail, and why.
  private var unable: [RenditionID: String] = [:]
  private(set) var watched: Set<RenditionID> = []
  private var load: EncodingLoad?
  private var tooMuchUntil: MonotonicTime?

  /// For how long a rendition is encoded that nobody watches, as viewers come back.
  static let timeUnwatched = MediaTime.seconds(5)
  /// Until an encode that has begun shows in the load.
  static let delayAfterBegin = MediaTime.seconds(3)
  /// After an encode that was too much.
  static let pause = MediaTime.seconds(30)
  /// What an encode takes however few pixels it has; see the measurements in docs/renditions.md.
  private static let fixedCost = 0.45

  /// `planned` is what outputs and the recording use.
  init(of renditions: [PlannedRendition], beside planned: [PlannedRendition]) {
    let largest = Double(max(1, planned.map(\.size.area).max() ?? 1))
    let all = renditions.map {
      ($0.id, Self.fixedCost + (1 - Self.fixedCost) * Double($0.size.area) / largest)
    }
    costs = Dictionary(uniqueKeysWithValues: all)
    states = costs.mapValues { _ in .idle }
    needsLoad = !costs.isEmpty && max(costs.count, planned.count) > 1
  }

  var running: Set<RenditionID> {
    Set(states.filter { if case .running = $0.value { true } else { false } }.keys)
  }

  /// Viewers watch or await `renditions`; outputs or the recording use those in `used`.
  mutating func watch(
    _ renditions: Set<RenditionID>, used: Set<RenditionID>, at now: MonotonicTime
  ) -> [Action] {
    watched = renditions
    for (id, state) in states {
      let isWatched = renditions.contains(id)
      switch state {
      case .idle: if isWatched { states[id] = .requested }
      case .requested: if !isWatched { states[id] = .idle }
      case .running(let begin, let since):
        states[id] = .running(since: begin, unwatchedSince: isWatched ? nil : since ?? now)
      }
    }
    return decide(used, at: now)
  }

  mutating func read(_ load: EncodingLoad, used: Set<RenditionID>, at now: MonotonicTime) -> [Action] {
    self.load = load
    for (id, state) in states {
      guard case .running(_, let since?) = state, now - since >= Self.timeUnwatched else { continue }
      states[id] = .idle
    }
    if load.isOverloaded, let last = begun(except: used).max(by: { $0.value < $1.value })?.key {
      tooMuchUntil = now + Self.pause
      states[last] = .idle
      return [.refuse(last, why: "the machine is overloaded")]
    }
    return decide(used, at: now)
  }

  /// The encoder of a rendition for viewers doesn't work.
  mutating func fail(_ id: RenditionID, why: String) -> [Action] {
    guard case .running = states[id] else { return [] }
    let why = "its encoder has failed: \(why)"
    (unable[id], states[id]) = (why, .idle)
    return [.refuse(id, why: why)]
  }

  private func begun(except used: Set<RenditionID>) -> [RenditionID: MonotonicTime] {
    states.compactMapValues { if case .running(let since, _) = $0 { since } else { nil } }
      .filter { !used.contains($0.key) }
  }

  private mutating func decide(_ used: Set<RenditionID>, at now: MonotonicTime) -> [Action] {
    var refused: [Action] = []
    for id in states.keys.sorted(by: { "\($0)" < "\($1)" }) {
      guard case .requested = states[id] else { continue }
      if used.contains(id) {
        states[id] = .running(since: now, unwatchedSince: nil)
      } else if let load, load.left != nil {
        let why = reasonAgainst(id, load, used, at: now)
        states[id] = why == nil ? .running(since: now, unwatchedSince: nil) : .idle
        if let why { refused.append(.refuse(id, why: why)) }
      }
    }
    return refused
  }

  private func reasonAgainst(
    _ id: RenditionID, _ load: EncodingLoad, _ used: Set<RenditionID>, at now: MonotonicTime
  ) -> String? {
    if let why = unable[id] { return why }
    if let tooMuchUntil, now < tooMuchUntil { return "the machine was overloaded a moment ago" }
    let begun = begun(except: used).filter { now - $0.value < Self.delayAfterBegin }
    let pending = begun.keys.reduce(0) { $0 + load.encode * costs[$1, default: 1] }
    return load.shortage(for: load.encode * costs[id, default: 1], beside: pending)
  }
}
