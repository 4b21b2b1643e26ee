import HoldfastMediaModel
import TestRandomness
import TestSupport

/// A seeded random schedule of interruptions.
struct InterruptionsPlan {
  enum Way: String {
    case control = "ctl"
    case signal
  }

  struct Round {
    let way: Way
    let live: MediaTime
    let interrupted: MediaTime
  }

  let rounds: [Round]

  /// Adjusts the live times to an average of three seconds a round.
  init(rounds count: Int, seed: UInt64) {
    var randomness = SplitMix64(seed: seed)
    let drawn = (0..<count).map { _ in
      (
        live: Double.random(in: 0...1, using: &randomness),
        interrupted: MediaTime.milliseconds(.random(in: 50...3000, using: &randomness))
      )
    }
    let free =
      Double(count) * (Self.roundSeconds - Self.shortestLiveSeconds - Self.commandSeconds)
      - drawn.reduce(0) { $0 + $1.interrupted.seconds }
    let scale = max(0, free) / max(.ulpOfOne, drawn.reduce(0) { $0 + $1.live })
    rounds = drawn.enumerated().map { index, round in
      Round(
        way: index % 2 == 0 ? .control : .signal,
        live: MediaTime(seconds: Self.shortestLiveSeconds + round.live * scale),
        interrupted: round.interrupted)
    }
  }

  private static let roundSeconds = 3.0
  private static let shortestLiveSeconds = 0.15
  /// The time for starting commands in a round, on average.
  private static let commandSeconds = 0.06
}
