package import HoldfastMediaModel

/// How long an output waits before its next attempt.
///
/// The first attempt after a loss comes at once. From then on nobody waits longer than a twentieth of the time that is lost
/// already, within bounds; each wait is drawn anew from the upper half of what it may be, so that many broadcasters
/// do not come back together.
package struct RetryPolicy: Hashable, Sendable {
  package var shortest = MediaTime.milliseconds(200)
  package var longest = MediaTime.seconds(5)
  /// A name that is taken is asked for this often, for that long: an old connection of our own may still hold it.
  package var takenName = MediaTime.milliseconds(200)
  package var takenNameLimit = MediaTime.seconds(10)
  /// After so many attempts that the server ended without a word, this far apart, it is taken to refuse us.
  package var attemptsUntilRefusal = 3
  package var afterHangUp = MediaTime.milliseconds(500)
  /// How often a server that seems to refuse us is asked again.
  package var afterRefusal = MediaTime.seconds(30)
  /// Redirections in a row that are followed at once.
  package var redirections = 5

  package init() {}

  /// `failures` in a row, from 1; `outage` is the time since the output last made progress.
  package func delay(
    afterFailures failures: Int, outage: MediaTime, using randomness: inout some RandomNumberGenerator
  ) -> MediaTime {
    guard failures > 1 else { return .zero }
    let share = MediaTime(nanoseconds: outage.nanoseconds / 20)
    return spread(min(max(share, shortest), longest), using: &randomness)
  }

  /// A wait from the upper half of what it may be.
  func spread(_ longest: MediaTime, using randomness: inout some RandomNumberGenerator) -> MediaTime {
    let bound = max(0, longest.nanoseconds)
    return MediaTime(nanoseconds: Int64.random(in: bound / 2...bound, using: &randomness))
  }
}
