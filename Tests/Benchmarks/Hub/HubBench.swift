import Foundation
import HoldfastPlatform
import TestSupport

/// `bench-hub [SECONDS] [RUN] [SESSIONS]`: what a hub with ten thousand members takes, and how soon they are back when it was away.
/// The runs are 1: Redis, 2: Redis and TLS, 3: SQLite; 4 or no number is all of them. A slow machine may measure fewer
/// sessions.
@main enum HubBench {
  /// All of it ends by then, whatever happens.
  private static let timeLimit = 900.0

  static func main() {
    Measurement.run("bench-hub [SECONDS] [RUN] [SESSIONS]") { numbers in
      surviveFailedWrites()
      guard raiseDescriptorLimit(to: 16_384) >= 12_000 else {
        throw TestFailure("this shell allows too few open files (ulimit -Hn)")
      }
      // The leashes of the servers notice the end of this process.
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: timeLimit)
        say("FAIL not finished within \(Int(timeLimit)) s")
        exit(1)
      }
      let seconds = numbers.number(0, default: 60)
      var plans = [
        HubRun.Plan(name: "Redis", seconds: seconds, losesHub: true),
        HubRun.Plan(name: "Redis, TLS", usesTLS: true, seconds: max(1, seconds / 2)),
        HubRun.Plan(name: "SQLite", store: .sqlite, seconds: max(1, seconds / 2)),
      ]
      if let only = numbers.dropFirst().first, (1...plans.count).contains(only) { plans = [plans[only - 1]] }
      let sessions = numbers.number(2, default: 1000)
      for index in plans.indices { plans[index].sessions = sessions }
      var isGood = true
      for plan in plans { isGood = try HubRun(plan).run() && isGood }
      return isGood
    }
  }
}
