package import HoldfastMediaModel

/// How long an output waits before its next attempt. The first retry is immediate. Later delays are a
/// twentieth of the outage so far, within bounds, and drawn from the upper half of their range, so that many
/// broadcasters do not reconnect together.
package struct RetryPolicy: Hashable, Sendable {
  package var minDelay = MediaTime.milliseconds(200)
  package var maxDelay = MediaTime.seconds(5)
  /// Retry interval for a name that may still be held, by an old connection of ours as well.
  package var takenNameDelay = MediaTime.milliseconds(500)
  /// How long that interval applies once the output has published.
  package var takenNamePeriod = MediaTime.seconds(10)
  /// How many attempts have that interval before the output has ever published.
  package var maxSuspectAttempts = 3
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
