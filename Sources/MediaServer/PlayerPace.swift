internal import HoldfastMediaModel

/// Decides what a player is sent: everything, or, once it can't keep up, nothing until a keyframe finds it ready again.
struct PlayerPace {
  enum State: Hashable {
    case waitingForKeyframe
    case playing
  }

  private(set) var state = State.waitingForKeyframe
  /// Bytes that may wait for a player.
  let capacity: Int
  /// Messages that it did not get since it last kept up.
  private var skipped = 0
  private var hasBegun = false

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// It has been given what is needed to go on from here.
  mutating func begin() {
    state = .playing
    hasBegun = true
  }

  mutating func pause() {
    state = .waitingForKeyframe
  }

  /// Whether `message` goes out while `backlog` bytes wait already.
  mutating func admits(_ message: StreamMessage, hasVideo: Bool, backlog: Int) -> Bool {
    if backlog > capacity { state = .waitingForKeyframe }
    switch state {
    case .playing: return true
    case .waitingForKeyframe:
      // Half empty again: a player that comes and goes at the limit would see nothing but keyframes.
      let isReady = backlog <= capacity / 2
      if isReady, hasVideo ? message.isKeyPicture : message.isPacket {
        begin()
        return true
      }
      if hasBegun { skipped += 1 }
      return false
    }
  }

  /// How many messages were left out since this was last asked.
  mutating func takeSkipped() -> Int {
    defer { skipped = 0 }
    return skipped
  }
}
