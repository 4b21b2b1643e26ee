internal import HoldfastMediaModel
internal import HoldfastRTMP

final class Player {
  let client: Client
  let stream: RTMPServer.StreamID
  private var pace: PlayerPace
  /// It has not got the newest ones.
  private var needsHeaders = true
  private var isPaused = false

  init(_ client: Client, _ stream: RTMPServer.StreamID, capacity: Int) {
    self.client = client
    self.stream = stream
    pace = PlayerPace(capacity: capacity)
  }

  /// Gives it what it needs to begin now, if that is known.
  func begin(with headers: StreamHeaders, _ cache: GOPCache) {
    guard !cache.entries.isEmpty, client.backlog <= pace.capacity / 2 else { return }
    let start = cache.entries.first?.time ?? 0
    pace.begin()
    send(headers, at: start)
    for entry in cache.entries { send(entry.message, at: entry.time) }
  }

  /// How many messages it had to leave out, when it goes on after some.
  func offer(_ message: StreamMessage, at time: Int64, _ headers: StreamHeaders) -> Int? {
    guard !isPaused, pace.admits(message, hasVideo: headers.hasVideo, backlog: client.backlog) else {
      if message.isHeaders { needsHeaders = true }
      return nil
    }
    if needsHeaders, !message.isHeaders { send(headers, at: time) }
    send(message, at: time)
    let skipped = pace.takeSkipped()
    return skipped > 0 ? skipped : nil
  }

  /// When it goes on, it does so with a keyframe.
  func setPaused(_ isPaused: Bool) {
    self.isPaused = isPaused
    pace.pause()
  }

  private func send(_ headers: StreamHeaders, at time: Int64) {
    needsHeaders = false
    for message in headers.messages { send(message, at: time) }
  }

  private func send(_ message: StreamMessage, at time: Int64) {
    let timestamp = UInt32(truncatingIfNeeded: time)
    switch message.kind {
    case .media(let track):
      client.protocolState.send(track, message.payload, timestamp: timestamp, to: stream)
    // FFmpeg takes it for subtitles at any other time.
    case .metadata: client.protocolState.sendData(message.payload, timestamp: 0, to: stream)
    case .data: client.protocolState.sendData(message.payload, timestamp: timestamp, to: stream)
    }
  }
}

/// Decides what a player is sent: everything, or, once it can't keep up, nothing until a keyframe finds it ready again.
struct PlayerPace {
  enum State: Hashable {
    case waitingForKeyframe
    case playing
  }

  private(set) var state = State.waitingForKeyframe
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
