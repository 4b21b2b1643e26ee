internal import HoldfastPlatform

/// What others want of the picture's encoder, until it makes its next picture.
final class EncoderWishes: Sendable {
  struct Wishes: Sendable {
    var keyframe = false
    var bitrate: BitrateChange?
  }

  private let wishes = Locked(Wishes())

  /// The next picture is one that a receiver can begin with.
  func requestKeyframe() {
    wishes.withLock { $0.keyframe = true }
  }

  func change(_ bitrate: BitrateChange) {
    wishes.withLock { $0.bitrate = bitrate }
  }

  func take() -> Wishes {
    wishes.withLock { wishes in
      defer { wishes = Wishes() }
      return wishes
    }
  }
}

struct BitrateChange: Hashable, Sendable {
  let bitsPerSecond: Int
  let why: String
  /// Somebody has asked for it, and not a network.
  var isConfigured = false
}

/// What each output's network can carry. There is one encoder, so the slowest one decides.
struct BitrateVotes {
  private var votes: [String: Int] = [:]
  private var highest: Int
  private var current: Int

  init(highest: Int) {
    self.highest = highest
    current = highest
  }

  /// The new rate of the encoder, where it changes; nil takes an output's vote back.
  mutating func vote(_ bitrate: Int?, by output: String) -> Int? {
    votes[output] = bitrate
    return decide()
  }

  /// The new rate of the encoder, where another highest one changes it.
  mutating func limit(to highest: Int) -> Int? {
    self.highest = highest
    return decide()
  }

  private mutating func decide() -> Int? {
    let wanted = min(votes.values.min() ?? highest, highest)
    guard wanted != current else { return nil }
    current = wanted
    return wanted
  }
}
