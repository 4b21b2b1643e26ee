import HoldfastMediaModel
import HoldfastRTMP

final class Player {
  let client: Client
  let stream: RTMPServer.StreamID
  /// With which the player was admitted.
  let key: String?
  private var pace: PlayerPace
  /// The newest headers have not been sent to this player.
  private var needsHeaders = true
  private var isPaused = false

  init(_ client: Client, _ stream: RTMPServer.StreamID, with key: String?, capacity: Int) {
    self.client = client
    self.stream = stream
    self.key = key
    pace = PlayerPace(capacity: capacity)
  }

  /// Sends the headers and the cached GOP, if there is one.
  func begin(with headers: StreamHeaders, _ cache: GOPCache) {
    guard !cache.entries.isEmpty, client.backlog <= pace.capacity / 2 else { return }
    let start = cache.entries.first?.time ?? 0
    pace.begin()
    send(headers, at: start)
    for entry in cache.entries { send(entry.message, at: entry.time) }
  }

  /// Sends the message if the player keeps up; returns the number of skipped messages when it resumes after a
  /// gap.
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

  /// After a pause, playback resumes at a keyframe.
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
    // FFmpeg treats metadata at any other time as subtitles.
    case .metadata: client.protocolState.sendData(message.payload, timestamp: 0, to: stream)
    case .data: client.protocolState.sendData(message.payload, timestamp: timestamp, to: stream)
    }
  }
}

/// Decides which messages a player gets: all of them, or, once it falls behind, none until a keyframe.
struct PlayerPace {
  let capacity: Int
  /// Waits for a keyframe otherwise.
  private var isPlaying = false
  /// Messages skipped since the player last kept up.
  private var skipped = 0
  private var hasBegun = false

  init(capacity: Int) { self.capacity = capacity }

  mutating func begin() {
    isPlaying = true
    hasBegun = true
  }

  mutating func pause() { isPlaying = false }

  /// Whether to send `message` while `backlog` bytes are queued.
  mutating func admits(_ message: StreamMessage, hasVideo: Bool, backlog: Int) -> Bool {
    if backlog > capacity { pause() }
    if isPlaying { return true }
    // Wait until half empty: a player hovering at the limit would get nothing but keyframes.
    let isReady = backlog <= capacity / 2
    if isReady, hasVideo ? message.isKeyframe : message.isPacket {
      begin()
      return true
    }
    if hasBegun { skipped += 1 }
    return false
  }

  mutating func takeSkipped() -> Int {
    defer { skipped = 0 }
    return skipped
  }
}
