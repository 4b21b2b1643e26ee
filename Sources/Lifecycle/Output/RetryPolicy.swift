package import HoldfastMediaModel

/// How long an output waits before its next attempt. The first retry is immediate. Later delays are a
/// twentieth of the outage so far, within bounds, and drawn from the upper half of their range, so that many
/// broadcasters do not reconnect together.
package struct RetryPolicy: Hashable, Sendable {
  package var shortest = MediaTime.milliseconds(200)
  package var longest = MediaTime.seconds(5)
  /// Retry interval for a name that an old connection of ours may still hold, and how long it applies.
  package var takenName = MediaTime.milliseconds(200)
  package var takenNameLimit = MediaTime.seconds(10)
  /// A server that hangs up on this many attempts, `afterHangUp` apart, counts as refusing us.
  package var attemptsUntilRefusal = 3
  package var afterHangUp = MediaTime.milliseconds(500)
  /// Retry interval for a server that seems to refuse us.
  package var afterRefusal = MediaTime.seconds(30)
  /// Consecutive redirections that are followed at once.
  package var redirections = 5

  package init() {}

  /// The delay after `failures` consecutive failures; `outage` is the time since the last progress.
  package func delay(
    afterFailures failures: Int, outage: MediaTime, using randomness: inout some RandomNumberGenerator
  ) -> MediaTime {
    guard failures > 1 else { return .zero }
    let share = MediaTime(nanoseconds: outage.nanoseconds / 20)
    return spread(min(max(share, shortest), longest), using: &randomness)
  }

  /// A random delay between half of `longest` and all of it.
  func spread(_ longest: MediaTime, using randomness: inout some RandomNumberGenerator) -> MediaTime {
    let bound = max(0, longest.nanoseconds)
    return MediaTime(nanoseconds: Int64.random(in: bound / 2...bound, using: &randomness))
  }
}
