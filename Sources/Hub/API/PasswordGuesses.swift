import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform

/// Slows the guessing of sessions' passwords, by token and address. Nothing counts but a wrong password that was compared.
final class PasswordGuesses: Sendable {
  struct Guesser: Hashable, Sendable {
    let token: String?
    let origin: AttemptOrigin
  }

  private struct Counts {
    var ofGuessers = RateLimit<Guesser>(burst: 5, refill: .seconds(6))
    /// With whatever tokens, as a host may give itself many.
    var ofOrigins = RateLimit<AttemptOrigin>(burst: 20, refill: .seconds(6))
    /// Those that are being compared, which takes a while.
    var running: [AttemptOrigin: Int] = [:]
  }

  private let counts = Locked(Counts())

  /// Of one address at a time.
  static let maxRunning = 5

  /// Refuses to compare if there were too many wrong ones, or if too many are being compared.
  func compare(by guesser: Guesser, _ isRight: () -> Bool) throws(HubFailure) -> Bool {
    let wait = counts.withLock { counts -> MediaTime? in
      let waits = [
        counts.ofGuessers.retryAfter(guesser, at: .now),
        counts.ofOrigins.retryAfter(guesser.origin, at: .now),
        counts.running[guesser.origin, default: 0] >= Self.maxRunning ? .seconds(1) : nil,
      ]
      if let wait = waits.compactMap(\.self).max() { return wait }
      counts.running[guesser.origin, default: 0] += 1
      return nil
    }
    if let wait { throw .tooManyGuesses(wait: wait) }
    let isRight = isRight()
    counts.withLock { counts in
      let running = counts.running[guesser.origin, default: 1] - 1
      counts.running[guesser.origin] = running == 0 ? nil : running
      guard !isRight else { return }
      counts.ofGuessers.record(guesser, at: .now)
      counts.ofOrigins.record(guesser.origin, at: .now)
    }
    return isRight
  }

  var count: Int { counts.withLock { $0.ofOrigins.count } }
}
