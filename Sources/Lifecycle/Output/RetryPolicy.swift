package import HoldfastMediaModel

/// How long an output waits before its next attempt. The first retry is immediate. Later delays are a
/// twentieth of the outage so far, within bounds, and drawn from the upper half of their range, so that many
/// broadcasters do not reconnect together.
package struct RetryPolicy: Hashable, Sendable {
  package var minDelay = MediaTime.milliseconds(200)
  package var maxDelay = MediaTime.seconds(5)
  /// Retry interval for a name that an old connection of ours may still hold, and how long it applies.
  package var takenNameDelay = MediaTime.milliseconds(200)
  package var takenNamePeriod = MediaTime.seconds(10)
  /// A server that disconnects this many attempts, `disconnectDelay` apart, counts as refusing us.
  package var maxSuspectAttempts = 3
  package var disconnectDelay = MediaTime.milliseconds(500)
  /// Retry interval for a server that seems to refuse us.
  package var refusalDelay = MediaTime.seconds(30)
  /// Consecutive redirections that are followed at once.
  package var maxRedirections = 5

  package init() {}

  /// The delay after `failures` consecutive failures; `outage` is the time since the last progress.
  package func delay(
    afterFailures failures: Int, outage: MediaTime, using randomness: inout some RandomNumberGenerator
  ) -> MediaTime {
    guard failures > 1 else { return .zero }
    let share = MediaTime(nanoseconds: outage.nanoseconds / 20)
    return randomDelay(upTo: min(max(share, minDelay), maxDelay), using: &randomness)
  }

  /// A random delay between half of `maxDelay` and all of it.
  func randomDelay(upTo maxDelay: MediaTime, using randomness: inout some RandomNumberGenerator) -> MediaTime
  {
    let bound = max(0, maxDelay.nanoseconds)
    return MediaTime(nanoseconds: Int64.random(in: bound / 2...bound, using: &randomness))
  }
}
