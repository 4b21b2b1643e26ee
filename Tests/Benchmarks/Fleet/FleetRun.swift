import HoldfastLifecycle
import HoldfastMediaModel
import TestRandomness

/// Many outputs with the real state machine and retry policy, and one server that fails and returns.
struct FleetRun {
  enum Scenario: String, CaseIterable {
    /// All outputs detect the failure of the server at the same time.
    case atOnce = "at once"
    /// Each output detects the failure at its own time, within 30 s.
    case scattered = "over 30 s"
  }

  enum Spread: String, CaseIterable {
    case jitter = "with jitter"
    case none = "without jitter"
  }

  /// Random numbers, or always the middle of the range.
  private struct Chance: RandomNumberGenerator {
    var random: SplitMix64
    let isConstant: Bool

    mutating func next() -> UInt64 { isConstant ? .max / 2 : random.next() }
  }

  static let broadcasters = 10_000
  /// In hundredths of a second since the first loss.
  static let outage = 60_00
  static let end = 90_00
  /// The attempts that the server accepts in a hundredth of a second; it refuses the rest.
  static let capacity = 20
  /// The delay until an output learns of a loss or a refusal.
  private static let roundTrip = 2...3

  let scenario: Scenario
  let spread: Spread
  private(set) var attempts = [Int](repeating: 0, count: end)
  private(set) var accepted = [Int](repeating: 0, count: end)

  init(_ scenario: Scenario, _ spread: Spread) {
    (self.scenario, self.spread) = (scenario, spread)
    run()
  }

  private mutating func run() {
    var chance = Chance(random: SplitMix64(seed: 1), isConstant: spread == .none)
    // Network delays vary even without jitter.
    var world = SplitMix64(seed: 2)
    var agenda = [[(output: Int, event: OutputLifecycle.Event)]](repeating: [], count: Self.end + 1)
    var outputs: [OutputLifecycle] = []
    for output in 0..<Self.broadcasters {
      var machine = OutputLifecycle(hasPublished: true)
      let lossAt = scenario == .atOnce ? 0 : Int(world.next() % 3000)
      for event in [.startRequested, .accepted, .progressed] as [OutputLifecycle.Event] {
        _ = machine.handle(event, at: Self.instant(lossAt), using: &chance)
      }
      outputs.append(machine)
      agenda[lossAt + Self.delay(&world)].append((output, .failed(.closed)))
    }
    for tick in 0..<Self.end {
      var room = tick >= Self.outage ? Self.capacity : 0
      for (output, event) in agenda[tick] {
        let actions = outputs[output].handle(event, at: Self.instant(tick), using: &chance)
        for action in actions {
          switch action {
          case .setTimer(let number, let wait):
            let due = tick + max(1, Int(wait.nanoseconds / 10_000_000))
            if due < Self.end { agenda[due].append((output, .timerFired(number))) }
          case .open:
            attempts[tick] += 1
            let answered = min(Self.end, tick + Self.delay(&world))
            if room > 0 { accepted[tick] += 1 }
            agenda[answered].append((output, room > 0 ? .accepted : .failed(.unreachable)))
            room -= 1
          case .prepare, .close, .drop, .cancelTimer, .report: break
          }
        }
      }
      agenda[tick] = []
    }
  }

  private static func instant(_ tick: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(tick) * 10_000_000)
  }

  private static func delay(_ world: inout SplitMix64) -> Int {
    roundTrip.lowerBound + Int(world.next() % UInt64(roundTrip.count))
  }
}

extension FleetRun {
  /// The highest rate of attempts within a tenth of a second, per second.
  func peak(in ticks: Range<Int>) -> Int {
    ticks.dropLast(10).map { attempts[$0..<($0 + 10)].reduce(0, +) * 10 }.max() ?? 0
  }

  /// The seconds from the server's return until `percent` of the broadcasters have recovered.
  func back(_ percent: Int) -> Double? {
    var count = 0
    for tick in 0..<Self.end {
      count += accepted[tick]
      if count * 100 >= Self.broadcasters * percent { return Double(tick - Self.outage) / 100 }
    }
    return nil
  }
}
