import HoldfastMediaModel
import HoldfastRTMP

/// Slows the guessing of keys: after a wrong key, its address has to wait before another one is judged.
struct KeyGuesses {
  private var judgedFrom: [String: MonotonicTime] = [:]
  /// Publishes whose key has not been judged yet, in the order of their arrival.
  private var waiting: [Guess] = []

  struct Guess {
    let client: Client
    let request: RTMPServer.PublishRequest
  }

  static let delay = MediaTime.seconds(1)

  mutating func wasWrong(from host: String, at now: MonotonicTime) {
    judgedFrom[host] = now + Self.delay
  }

  /// False if the key may be judged at once.
  mutating func wait(_ request: RTMPServer.PublishRequest, _ client: Client, at now: MonotonicTime) -> Bool {
    guard let due = judgedFrom[client.host], due > now else { return false }
    client.awaitsJudgement = true
    waiting.append(Guess(client: client, request: request))
    return true
  }

  /// The next publish whose key may be judged now.
  mutating func next(at now: MonotonicTime) -> Guess? {
    judgedFrom = judgedFrom.filter { $0.value > now }
    guard let index = waiting.firstIndex(where: { judgedFrom[$0.client.host] == nil }) else { return nil }
    let guess = waiting.remove(at: index)
    guess.client.awaitsJudgement = false
    return guess
  }

  mutating func remove(_ client: Client) {
    waiting.removeAll { $0.client === client }
  }
}
