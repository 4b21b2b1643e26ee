import HoldfastMediaModel
import TestRandomness

/// A seeded random schedule of faults. Each lane is calm, has a fault, is calm again; lanes don't wait for each other.
struct SoakPlan {
  enum Kind: String, CaseIterable {
    case kill, freeze, restart, rateLimit
    case interruption, deviceLoss, crash, clockStep

    static let ofServers: [Kind] = [.kill, .freeze, .restart, .rateLimit]
    static let ofProcess: [Kind] = [.interruption, .deviceLoss, .crash, .clockStep]

    /// In seconds.
    var lengths: ClosedRange<Double> {
      switch self {
      case .kill, .freeze: 0.3...12
      case .restart: 0.1...2
      case .rateLimit: 4...20
      case .interruption: 0.1...10
      case .deviceLoss: 1.5...8
      case .crash: 0.1...3
      case .clockStep: 0...0
      }
    }
  }

  struct Fault {
    let kind: Kind
    /// Of a server, 0 or 1; nil for the process.
    let server: Int?
    let begin: MediaTime
    let end: MediaTime
    /// How far a clock steps, in seconds, or how little a connection may carry, as a share of what it needs.
    let extent: Double
  }

  let faults: [Fault]

  init(minutes: Int, seed: UInt64) {
    var randomness = SplitMix64(seed: seed)
    let end = Double(minutes * 60) - Self.quietEnd
    faults = [0, 1, nil].flatMap { Self.lane($0, until: end, &randomness) }
  }

  /// The beginnings and ends of the faults, in order.
  var actions: [(at: MediaTime, fault: Fault, isBegin: Bool)] {
    faults.flatMap { fault in
      [(at: fault.begin, fault: fault, isBegin: true), (at: fault.end, fault: fault, isBegin: false)]
    }.sorted { $0.at < $1.at }
  }

  /// Every kind once before any comes again.
  private static func lane(_ server: Int?, until end: Double, _ randomness: inout SplitMix64) -> [Fault] {
    let kinds = server == nil ? Kind.ofProcess : Kind.ofServers
    var (faults, left, time): ([Fault], [Kind], Double) = ([], [], 5)
    while true {
      if left.isEmpty { left = kinds.shuffled(using: &randomness) }
      let kind = left.removeLast()
      let begin = time + .random(in: calm, using: &randomness)
      time = begin + .random(in: kind.lengths, using: &randomness)
      let step = Double.random(in: 0.2...90, using: &randomness) * (Bool.random(using: &randomness) ? 1 : -1)
      let share = Double.random(in: 0.3...0.8, using: &randomness)
      guard time < end else { return faults }
      faults.append(
        Fault(
          kind: kind, server: server, begin: MediaTime(seconds: begin), end: MediaTime(seconds: time),
          extent: kind == .clockStep ? step : share))
    }
  }

  /// Seconds between the faults of a lane: enough to come back.
  private static let calm = 4.0...14
  /// Seconds without a fault at the end.
  private static let quietEnd = 20.0
}
