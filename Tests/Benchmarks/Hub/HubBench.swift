import Foundation
import HoldfastPlatform
import TestSupport

/// What a hub with ten thousand members takes, and how soon they are back when it was away.
/// The runs are 1: Redis, 2: Redis and TLS, 3: SQLite; 4 or no number is all of them. A slow machine may measure fewer
/// sessions.
enum HubBench {
  /// All of it ends by then, whatever happens.
  private static let timeLimit = 900.0

  static func run(_ arguments: Arguments) throws -> Bool {
    let (seconds, only) = (try arguments.number(0, default: 60), try arguments.number(1, default: 4))
    let sessions = try arguments.number(2, default: 1000)
    surviveFailedWrites()
    try needDescriptors(12_000)
    // The leashes of the servers notice the end of this process.
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: timeLimit)
      say("FAIL not finished within \(Int(timeLimit)) s")
      exit(1)
    }
    let plans = [
      HubRun.Plan(name: "Redis", sessions: sessions, seconds: seconds, losesHub: true),
      HubRun.Plan(name: "Redis, TLS", usesTLS: true, sessions: sessions, seconds: max(1, seconds / 2)),
      HubRun.Plan(name: "SQLite", store: .sqlite, sessions: sessions, seconds: max(1, seconds / 2)),
    ]
    var isGood = true
    for (index, plan) in plans.enumerated() where only > plans.count || only == index + 1 {
      isGood = try HubRun(plan).run() && isGood
    }
    return isGood
  }
}
