public import MediaModel

/// How long an output waits before its next attempt: at once, then doubling to a cap, each wait drawn anew between
/// nothing and its bound, so that many broadcasters do not come back together.
public struct RetryPolicy: Hashable, Sendable {
  public var first = MediaTime.milliseconds(250)
  public var cap = MediaTime.seconds(5)

  public init() {}

  /// `attempt` counts the failures in a row, from 1.
  public func delay(
    afterFailure attempt: Int, using randomness: inout some RandomNumberGenerator
  ) -> MediaTime {
    guard attempt > 1 else { return .zero }
    let doublings = min(attempt - 2, 30)
    let bound = min(cap.nanoseconds, first.nanoseconds << doublings)
    return MediaTime(nanoseconds: Int64.random(in: 0...bound, using: &randomness))
  }
}
