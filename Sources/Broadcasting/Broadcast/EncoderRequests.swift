internal import HoldfastPlatform

/// What is asked of the picture's encoder, until it makes its next picture.
final class EncoderRequests: Sendable {
  struct Requested: Sendable {
    var keyframe = false
    var bitrate: BitrateChange?
  }

  private let requested = Locked(Requested())

  func add(_ request: EncoderRequest) {
    requested.withLock { requested in
      switch request {
      case .keyframe: requested.keyframe = true
      case .bitrate(let change): requested.bitrate = change
      }
    }
  }

  func take() -> Requested {
    requested.withLock { requested in
      defer { requested = Requested() }
      return requested
    }
  }
}

package enum EncoderRequest: Hashable, Sendable {
  /// The next picture is one that a receiver can begin with.
  case keyframe
  case bitrate(BitrateChange)
}

package struct BitrateChange: Hashable, Sendable {
  package let bitsPerSecond: Int
  package let why: String
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
    let requested = min(votes.values.min() ?? highest, highest)
    guard requested != current else { return nil }
    current = requested
    return requested
  }
}
