import HoldfastMediaModel
import HoldfastPlatform

/// What an output's network leads to.
package enum OutputAdaptation: Hashable, Sendable {
  /// To nothing: what does not fit is dropped.
  case off(why: String)
  /// To a lower bitrate of its encode.
  case all(why: String)
  /// It carries the encode that the output shares.
  case shared
  /// It carries less, and the output has an encode of its own, at this rate.
  case own(Int)
  /// It carries less, but there is no encode of its own: what does not fit is dropped.
  case dropping(why: String)
}

/// What encoding takes and what the machine has, in processors.
package struct EncodingLoad: Hashable, Sendable {
  /// The most expensive encode, while others use the machine, too.
  var encode = 0.0
  /// All encodes that run.
  var encodes = 0.0
  var processors = 0.0
  /// What nobody used lately; nil if unknown.
  var idle: Double?
  /// An encode that is shared does less than usual.
  var isOverloaded = false

  /// Nothing is known of the machine.
  package static let unknown = EncodingLoad()

  /// Half of the machine counts as ours, also while others use it.
  var left: Double? { idle.map { max($0, processors / 2 - encodes) } }

  /// What is left to others, in processors.
  private static let reserve = 0.15

  /// Why there is no time for an encode that takes `processors`, beside those that have just begun; nil if there is.
  func shortage(for processors: Double, beside begun: Double = 0) -> String? {
    guard let left else { return "the machine's load is not known yet" }
    if isOverloaded { return "the machine is overloaded" }
    guard left - begun < processors + Self.reserve else { return nil }
    return
      "too little processor time is left: \(Figures.decimal(max(0, left - begun), places: 2)) of a processor, "
      + "and an encode takes \(Figures.decimal(processors, places: 2))"
  }
}

/// Decides which outputs have an encode of their own, because their networks can't carry the one that they share: as
/// long as the machine has time for it.
struct OwnEncodes {
  enum Action: Hashable {
    case begin(output: String, bitrate: Int)
    case change(output: String, bitrate: Int)
    /// The output shares again.
    case end(output: String)
  }

  /// Of an output that does not share.
  private enum State {
    case dropping(bitrate: Int, why: String)
    case own(bitrate: Int, atTopSince: MonotonicTime?)
  }

  /// The bitrates of what the outputs share.
  private var highest: [String: Int]
  private var states: [String: State] = [:]
  /// Those whose encodes can't be replaced, and why.
  private var unable: [String: String] = [:]
  /// In the order of their beginnings.
  private var running: [String] = []
  private var load: EncodingLoad?
  private var nextBegin: MonotonicTime?
  private var pause = minPause

  /// For how long a network carries the full rate before its output shares again.
  static let timeAtTop = MediaTime.seconds(4)
  /// Until an encode that has begun shows in the load.
  static let delayAfterBegin = MediaTime.seconds(3)
  /// After an encode that was too much.
  static let minPause = MediaTime.seconds(30)
  static let maxPause = MediaTime.seconds(240)

  init(highest: [String: Int]) { self.highest = highest }

  /// Whether a load is of use.
  var needsLoad: Bool { !highest.isEmpty }

  mutating func limit(to bitrate: Int, sharing outputs: [String]) {
    for output in outputs where has(output) { highest[output] = bitrate }
  }

  var adaptations: [String: OutputAdaptation] {
    Dictionary(uniqueKeysWithValues: highest.keys.compactMap { id in adaptation(of: id).map { (id, $0) } })
  }

  /// Outputs without an encode of their own that need one, and why they have none.
  var dropping: [String: String] {
    states.compactMapValues { if case .dropping(_, let why) = $0 { why } else { nil } }
  }

  func has(_ output: String) -> Bool { highest[output] != nil }

  func adaptation(of output: String) -> OutputAdaptation? {
    guard has(output) else { return nil }
    return switch states[output] {
    case nil: .shared
    case .dropping(_, let why): .dropping(why: why)
    case .own(let bitrate, _): .own(bitrate)
    }
  }

  /// The network of `output` carries `bitrate`; nil if it does not publish.
  mutating func request(_ bitrate: Int?, of output: String, at now: MonotonicTime) -> [Action] {
    guard let highest = highest[output] else { return [] }
    guard let bitrate else { return end(output, as: nil) }
    let isTop = bitrate >= highest
    switch states[output] {
    case .own(_, let since):
      states[output] = .own(bitrate: bitrate, atTopSince: isTop ? since ?? now : nil)
      return [.change(output: output, bitrate: bitrate)]
    case nil, .dropping:
      guard !isTop else {
        states[output] = nil
        return []
      }
      return begin(output, bitrate, at: now)
    }
  }

  mutating func read(_ load: EncodingLoad, at now: MonotonicTime) -> [Action] {
    self.load = load
    if load.isOverloaded, let last = running.last {
      nextBegin = now + pause
      pause = min(pause + pause, Self.maxPause)
      return end(last, as: .dropping(bitrate: bitrate(of: last), why: "the machine is overloaded"))
    }
    for (output, state) in states.sorted(by: { $0.key < $1.key }) {
      switch state {
      case .own(_, let since?) where now - since >= Self.timeAtTop:
        pause = Self.minPause
        return end(output, as: nil)
      case .dropping(let bitrate, _):
        let actions = begin(output, bitrate, at: now)
        if !actions.isEmpty { return actions }
      case .own: break
      }
    }
    return []
  }

  /// The encode of `output` can't take the place of the shared one.
  mutating func fail(_ output: String, why: String) -> [Action] {
    unable[output] = why
    return end(output, as: .dropping(bitrate: bitrate(of: output), why: why))
  }

  private mutating func begin(_ output: String, _ bitrate: Int, at now: MonotonicTime) -> [Action] {
    if let why = reasonAgainst(output, at: now) {
      states[output] = .dropping(bitrate: bitrate, why: why)
      return []
    }
    states[output] = .own(bitrate: bitrate, atTopSince: nil)
    running.append(output)
    nextBegin = now + Self.delayAfterBegin
    return [.begin(output: output, bitrate: bitrate)]
  }

  private func reasonAgainst(_ output: String, at now: MonotonicTime) -> String? {
    if let why = unable[output] { return why }
    let load = load ?? .unknown
    if load.left != nil, !load.isOverloaded, let nextBegin, now < nextBegin {
      return "another encode has just begun, or was too much"
    }
    return load.shortage(for: load.encode)
  }

  private mutating func end(_ output: String, as next: State?) -> [Action] {
    defer { states[output] = next }
    guard case .own = states[output] else { return [] }
    running.removeAll { $0 == output }
    return [.end(output: output)]
  }

  private func bitrate(of output: String) -> Int {
    switch states[output] {
    case .own(let bitrate, _), .dropping(let bitrate, _): bitrate
    case nil: highest[output] ?? 0
    }
  }
}
