/// The bitrate that each output's network can carry; the lowest applies, because there is one encoder.
struct BitrateVotes {
  private var votes: [String: Int] = [:]
  private var highest: Int
  private var current: Int

  init(highest: Int) {
    self.highest = highest
    current = highest
  }

  /// Returns the encoder's new bitrate if it changes; nil withdraws an output's vote.
  mutating func vote(_ bitrate: Int?, by output: String) -> Int? {
    votes[output] = bitrate
    return decide()
  }

  /// Returns the encoder's new bitrate if the limit changes it.
  mutating func limit(to highest: Int) -> Int? {
    self.highest = highest
    return decide()
  }

  private mutating func decide() -> Int? {
    let requested = min(votes.values.min() ?? highest, highest)
    guard requested != current else { return nil }
    current = requested
    return requested
  }
}
