import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// The registry of live streams: admits publishers and players.
struct Hub {
  private let configuration: MediaServer.Configuration
  private let keys: StreamKeys
  private let observe: (MediaServer.Event) -> Void
  private(set) var streams: [StreamName: LiveStream] = [:]
  private var waiting: [WaitingPlay] = []
  private var guesses = KeyGuesses()
  var publishesToRefuse = 0

  private struct WaitingPlay {
    let client: Client
    let request: RTMPServer.PlayRequest
    let name: StreamName
    let deadline: MonotonicTime
  }

  init(_ configuration: MediaServer.Configuration, observe: @escaping (MediaServer.Event) -> Void) {
    self.configuration = configuration
    keys = StreamKeys(allowed: configuration.keys)
    self.observe = observe
  }

  mutating func handle(_ event: RTMPServer.Event, from client: Client, at now: MonotonicTime) {
    switch event {
    case .connectRequested(let request):
      client.query = request.query
      client.application = request.application
      client.isConnected = true
      client.protocolState.accept()
    case .publishRequested(let request):
      if !guesses.wait(request, client, at: now) { publish(request, client, at: now) }
    case .playRequested(let request): play(request, client, at: now)
    case .media(let stream, let track, let timestamp, let payload):
      client.publishes[stream]?.receive(StreamMessage(track, payload), timestamp: timestamp)
    case .metadata(let stream, let timestamp, let payload):
      client.publishes[stream]?.receive(StreamMessage(.metadata, payload), timestamp: timestamp)
    case .data(let stream, let values, let timestamp, let payload):
      guard let live = client.publishes[stream] else { return }
      live.receive(StreamMessage(.data, payload), timestamp: timestamp)
      let value = values.dropFirst().first
      observe(
        .data(
          stream: live.name.text, name: values.first?.text ?? "", text: value?.text ?? value?["text"]?.text))
    case .unpublished(let stream):
      if let live = client.publishes.removeValue(forKey: stream) { end(live, .unpublished) }
    case .paused(let stream, let isPaused):
      client.plays[stream]?.player(of: client, stream)?.setPaused(isPaused)
    case .playStopped(let stream):
      client.plays.removeValue(forKey: stream)?.removePlayer(of: client, stream)
    case .acknowledged, .pong: break
    }
  }

  // MARK: - Publishers

  private mutating func publish(
    _ request: RTMPServer.PublishRequest, _ client: Client, at now: MonotonicTime
  ) {
    guard let name = StreamName(request.name, application: client.application) else {
      return refuse(.badName, .badName, client, stream: nil)
    }
    guard publishesToRefuse <= 0 else {
      publishesToRefuse -= 1
      return refuse(.onRequest, .unauthorized, client, stream: name)
    }
    guard keys.admit([request.query, client.query]) else {
      guesses.wasWrong(from: client.host, at: now)
      return refuse(.wrongKey, .unauthorized, client, stream: name)
    }
    guard streams[name] == nil else { return refuse(.nameTaken, .nameTaken, client, stream: name) }
    let file: FLVFile?
    let path = path(of: name, request.type)
    do throws(SystemError) {
      file = try path.map { (path) throws(SystemError) in
        if let directory = configuration.directory, let folder = name.folder {
          try createDirectory("\(directory)/\(folder)")
        }
        return try FLVFile(path, mode(of: request.type))
      }
      switch file {
      case .some(let file):
        if let path, let new = file.movedAside { observe(.movedAside(path: path, to: new)) }
      case .none: break
      }
    } catch {
      if let path { observe(.recordingFailed(path: path, reason: error.reason)) }
      return refuse(.fileFailed, .denied, client, stream: name)
    }
    let stream = LiveStream(
      name, request.type, by: client, into: file, at: path, configuration, observe: observe)
    streams[name] = stream
    client.publishes[request.stream] = stream
    client.protocolState.accept()
    observe(.publishing(stream: name.text, request.type, peer: client.peer, path: path))
    admitWaiting(to: stream)
  }

  private func mode(of type: PublishType) -> FLVFile.Mode {
    switch type {
    case .live, .record: .new
    case .append: configuration.addsToLastStamp ? .added : .continued
    }
  }

  private func path(of name: StreamName, _ type: PublishType) -> String? {
    switch type {
    case .live: nil
    case .record, .append: configuration.directory.map { "\($0)/\(name.text).flv" }
    }
  }

  private mutating func end(_ stream: LiveStream, _ reason: MediaServer.EndReason) {
    streams[stream.name] = nil
    stream.end(reason)
  }

  // MARK: - Players

  private mutating func play(_ request: RTMPServer.PlayRequest, _ client: Client, at now: MonotonicTime) {
    guard let name = StreamName(request.name, application: client.application) else {
      return refuse(.badName, .badName, client, stream: nil)
    }
    if let stream = streams[name] {
      add(client, request.stream, to: stream)
    } else {
      let deadline = now + configuration.playerTimeout
      waiting.append(WaitingPlay(client: client, request: request, name: name, deadline: deadline))
    }
  }

  private func add(_ client: Client, _ id: RTMPServer.StreamID, to stream: LiveStream) {
    client.protocolState.accept()
    client.plays[id] = stream
    stream.add(Player(client, id, capacity: configuration.playerBacklog))
  }

  private mutating func admitWaiting(to stream: LiveStream) {
    for play in waiting where play.name == stream.name { add(play.client, play.request.stream, to: stream) }
    waiting.removeAll { $0.name == stream.name }
  }

  private mutating func refuse(
    _ refusal: MediaServer.Refusal, _ reason: RTMPServer.Refusal.Reason, _ client: Client, stream: StreamName?
  ) {
    switch configuration.refusalManner {
    case .acceptAndClose where client.publishes.isEmpty && client.plays.isEmpty:
      client.protocolState.accept()
      client.isLeaving = true
    case .close: client.isLeaving = true
    case .status, .acceptAndClose: client.protocolState.refuse(RTMPServer.Refusal(reason, refusal.rawValue))
    }
    observe(.refused(peer: client.peer, stream: stream?.text, refusal))
  }

  // MARK: - Time and end

  /// Refuses players whose wait has timed out, and flushes the recordings.
  mutating func tick(at now: MonotonicTime) {
    while let guess = guesses.next(at: now) { publish(guess.request, guess.client, at: now) }
    for play in waiting where play.deadline <= now {
      refuse(.notFound, .notFound, play.client, stream: play.name)
    }
    waiting.removeAll { $0.deadline <= now }
    for stream in streams.values { stream.flushFile() }
  }

  func reportArrivals() {
    for stream in streams.values { stream.reportArrivals() }
  }

  mutating func remove(_ client: Client, _ reason: MediaServer.EndReason) {
    waiting.removeAll { $0.client === client }
    guesses.remove(client)
    for stream in client.publishes.values { end(stream, reason) }
    for (id, stream) in client.plays { stream.removePlayer(of: client, id) }
    client.publishes = [:]
    client.plays = [:]
  }

  mutating func stop() {
    for stream in streams.values {
      for (id, own) in stream.publisher.publishes where own === stream {
        stream.publisher.protocolState.endPublish(id, "the server stops")
        stream.publisher.publishes[id] = nil
      }
      end(stream, .serverStopped)
    }
  }

  /// How much memory the event will take in caches and players' queues.
  func relayedBytes(of event: RTMPServer.Event, from client: Client) -> Int {
    switch event {
    case .media(let stream, _, _, let payload), .metadata(let stream, _, let payload),
      .data(let stream, _, _, let payload):
      // A queue doubles its memory to grow.
      (client.publishes[stream]?.players.count ?? 0) * 2 * payload.count + payload.count
    case .playRequested(let request):
      StreamName(request.name, application: client.application).flatMap { streams[$0] }?.cachedBytes ?? 0
    case .connectRequested, .publishRequested, .unpublished, .paused, .playStopped, .acknowledged, .pong: 0
    }
  }

  var cachedBytes: Int { streams.values.reduce(0) { $0 + $1.cachedBytes } }

  func dropCaches() {
    for stream in streams.values { stream.dropCache() }
  }
}
