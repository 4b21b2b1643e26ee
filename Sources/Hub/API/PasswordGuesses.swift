import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastTokens

/// Slows the guessing of sessions' passwords: after five wrong ones an address has to wait.
final class PasswordGuesses: Sendable {
  private let limit = Locked(RateLimit<FailedAttempts.Origin>(burst: 5, refill: .seconds(6)))

  func wait(_ peer: HTTPRequest.Peer) -> MediaTime? {
    limit.withLock { $0.retryAfter(FailedAttempts.Origin(peer), at: .now) }
  }

  func wasWrong(_ peer: HTTPRequest.Peer) {
    limit.withLock { $0.record(FailedAttempts.Origin(peer), at: .now) }
  }

  var count: Int { limit.withLock { $0.count } }
}
