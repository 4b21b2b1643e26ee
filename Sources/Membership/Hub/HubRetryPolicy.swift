package import HoldfastMediaModel

/// How long a member waits before it asks a hub again. All delays are random: when a hub dies, thousands of members
/// notice in the same moment.
package struct HubRetryPolicy: Hashable, Sendable {
  /// The first retry is spread over this range.
  package var first = MediaTime.seconds(1)...MediaTime.seconds(5)
  package var maxDelay = MediaTime.seconds(15)
  /// Between attempts whose result changes only when somebody does something.
  package var slow = MediaTime.seconds(30)
  /// How much later than asked for members come, so that they don't come together.
  package var spread = MediaTime.seconds(2)
  /// Wrong passwords that are followed by another attempt at once.
  package var freePasswords = 5

  package init() {}

  /// The delay after `failures` consecutive failures, and no less than the hub asks for.
  package func delay(
    afterFailures failures: Int, retryAfter: MediaTime? = nil,
    using randomness: inout some RandomNumberGenerator
  ) -> MediaTime {
    let delay: MediaTime
    if failures <= 1 {
      delay = random(in: first, using: &randomness)
    } else {
      let doubled = MediaTime(nanoseconds: first.upperBound.nanoseconds << min(failures - 1, 8))
      let bound = min(doubled, maxDelay)
      delay = random(in: MediaTime(nanoseconds: bound.nanoseconds / 2)...bound, using: &randomness)
    }
    guard let retryAfter else { return delay }
    return max(delay, retryAfter + random(in: .zero...spread, using: &randomness))
  }

  func slowDelay(
    retryAfter: MediaTime? = nil, using randomness: inout some RandomNumberGenerator
  ) -> MediaTime {
    let least = max(slow, retryAfter ?? .zero)
    return random(in: least...least + spread, using: &randomness)
  }

  /// How long after a wrong password the next one is sent.
  func passwordDelay(afterWrong count: Int) -> MediaTime {
    guard count >= freePasswords else { return .zero }
    return min(.seconds(1 << min(Int64(count - freePasswords), 8)), .seconds(60))
  }

  /// The time to the next beat: `interval`, give or take a fifth.
  package func beatDelay(
    _ interval: MediaTime, using randomness: inout some RandomNumberGenerator
  ) -> MediaTime {
    let fifth = MediaTime(nanoseconds: interval.nanoseconds / 5)
    return random(in: interval - fifth...interval + fifth, using: &randomness)
  }

  package func random(
    in range: ClosedRange<MediaTime>, using randomness: inout some RandomNumberGenerator
  ) -> MediaTime {
    MediaTime(
      nanoseconds: .random(
        in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds, using: &randomness))
  }
}
