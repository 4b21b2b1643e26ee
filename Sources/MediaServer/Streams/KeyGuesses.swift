import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// Slows the guessing of keys: after a wrong key, its address has to wait before another one is judged.
struct KeyGuesses {
  private var judgedFrom: [SocketNetwork: MonotonicTime] = [:]
  /// Attempts whose key has not been judged yet, in the order of their arrival.
  private var waiting: [Attempt] = []

  struct Attempt {
    let client: Client
    /// The request to publish or play.
    let event: RTMPServer.Event
  }

  static let delay = MediaTime.seconds(1)

  mutating func wasWrong(from network: SocketNetwork, at now: MonotonicTime) {
    judgedFrom[network] = now + Self.delay
  }

  /// False if the key may be judged at once.
  mutating func wait(_ event: RTMPServer.Event, of client: Client, at now: MonotonicTime) -> Bool {
    guard let due = judgedFrom[client.network], due > now else { return false }
    client.awaitsJudgement = true
    waiting.append(Attempt(client: client, event: event))
    return true
  }

  /// The next attempt whose key may be judged now.
  mutating func next(at now: MonotonicTime) -> Attempt? {
    judgedFrom = judgedFrom.filter { $0.value > now }
    guard let index = waiting.firstIndex(where: { judgedFrom[$0.client.network] == nil }) else { return nil }
    let attempt = waiting.remove(at: index)
    attempt.client.awaitsJudgement = false
    return attempt
  }

  mutating func remove(_ client: Client) { waiting.removeAll { $0.client === client } }
}
