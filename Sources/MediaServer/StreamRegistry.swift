import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// The registry of live streams: admits publishers and players.
struct StreamRegistry {
  private let configuration: MediaServer.Configuration
  private let admission: MediaAdmission
  private let observe: (MediaServer.Event) -> Void
  private(set) var streams: [StreamName: LiveStream] = [:]
  private var waiting: [WaitingPlay] = []
  private var guesses = KeyGuesses()
  var publishesToRefuse = 0

  private struct WaitingPlay {
    let client: Client
    let stream: RTMPServer.StreamID
    let name: StreamName
    let key: String?
    let deadline: MonotonicTime
  }

  init(
    _ configuration: MediaServer.Configuration, _ admission: MediaAdmission,
    observe: @escaping (MediaServer.Event) -> Void
  ) {
    self.configuration = configuration
    self.admission = admission
    self.observe = observe
  }

  mutating func handle(_ event: RTMPServer.Event, from client: Client, at now: MonotonicTime) {
    // Events of a client that is being disconnected would only delay its end.
    guard client.departure == nil else { return }
    switch event {
    case .connectRequested(let request):
      client.query = request.query
      client.application = request.application
      client.protocolState.accept()
    case .publishRequested(let request):
      if admission.publish == nil || !guesses.wait(event, of: client, at: now) {
        publish(request, client, at: now)
      }
    case .playRequested(let request):
      if admission.play == nil || !guesses.wait(event, of: client, at: now) { play(request, client, at: now) }
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
    let key = StreamKey.presented(in: [request.query, client.query])
    switch admission.publish?(name.text, key, request.type, .start) ?? .admit() {
    case .refuse:
      guesses.wasWrong(from: client.network, at: now)
      return refuse(.wrongKey, .unauthorized, client, stream: name)
    case .admit(let takesOver):
      if let older = streams[name] {
        guard takesOver else { return refuse(.nameTaken, .nameTaken, client, stream: name) }
        cutShort(older, .replaced)
        if older.publisher !== client { disconnectIfUnused(older.publisher, .onceWritten) }
      }
    }
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
      name, request.type, by: client, with: key, into: file, at: path, configuration, observe: observe)
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

  /// Ends a publish that its publisher would continue.
  private mutating func cutShort(_ stream: LiveStream, _ reason: MediaServer.EndReason) {
    let publisher = stream.publisher
    for (id, own) in publisher.publishes where own === stream {
      publisher.protocolState.endPublish(id, reason.statusText)
      publisher.publishes[id] = nil
    }
    end(stream, reason)
  }

  private func disconnectIfUnused(_ client: Client, _ departure: Client.Departure) {
    guard client.publishes.isEmpty, client.plays.isEmpty, !client.protocolState.isAnswerDue else { return }
    client.departure = departure
  }

  // MARK: - Players

  private mutating func play(_ request: RTMPServer.PlayRequest, _ client: Client, at now: MonotonicTime) {
    guard let name = StreamName(request.name, application: client.application) else {
      return refuse(.badName, .badName, client, stream: nil)
    }
    let key = StreamKey.presented(in: [request.query, client.query])
    guard admits(playerOf: name, with: key, .start) else {
      guesses.wasWrong(from: client.network, at: now)
      return refuse(.wrongKey, .unauthorized, client, stream: name)
    }
    let play = WaitingPlay(
      client: client, stream: request.stream, name: name, key: key,
      deadline: now + configuration.playerTimeout)
    if let stream = streams[name] { add(play, to: stream) } else { waiting.append(play) }
  }

  private func admits(
    playerOf name: StreamName, with key: String?, _ occasion: MediaAdmission.Occasion
  ) -> Bool {
    admission.play?(name.text, key, occasion) ?? true
  }

  private func add(_ play: WaitingPlay, to stream: LiveStream) {
    play.client.protocolState.accept()
    play.client.plays[play.stream] = stream
    stream.add(Player(play.client, play.stream, with: play.key, capacity: configuration.playerBacklog))
  }

  private mutating func admitWaiting(to stream: LiveStream) {
    for play in waiting where play.name == stream.name { add(play, to: stream) }
    waiting.removeAll { $0.name == stream.name }
  }

  private mutating func refuse(
    _ refusal: MediaServer.Refusal, _ reason: RTMPServer.Refusal.Reason, _ client: Client, stream: StreamName?
  ) {
    switch configuration.refusalManner {
    case .acceptAndClose where client.publishes.isEmpty && client.plays.isEmpty:
      client.protocolState.accept()
      client.departure = .onceWritten
    case .close: client.departure = .onceWritten
    case .status, .acceptAndClose: client.protocolState.refuse(RTMPServer.Refusal(reason, refusal.rawValue))
    }
    observe(.refused(peer: client.peer, stream: stream?.text, refusal))
  }

  // MARK: - Withdrawn admissions

  mutating func disconnectPublisher(of stream: String) {
    if let stream = streams.values.first(where: { $0.name.text == stream }) { revoke(stream) }
  }

  /// Asks the admission again about everything that it has admitted.
  mutating func revalidate() {
    for stream in streams.values {
      if admission.publish?(stream.name.text, stream.key, stream.report.type, .revalidation) == .refuse {
        revoke(stream)
      }
    }
    for stream in streams.values {
      for player in stream.players where !admits(playerOf: stream.name, with: player.key, .revalidation) {
        revoke(player, of: stream)
      }
    }
    for play in waiting where !admits(playerOf: play.name, with: play.key, .revalidation) {
      waiting.removeAll { $0.client === play.client && $0.stream == play.stream }
      refuse(.wrongKey, .unauthorized, play.client, stream: play.name)
    }
  }

  private mutating func revoke(_ stream: LiveStream) {
    cutShort(stream, .revoked)
    disconnectIfUnused(stream.publisher, .onceWritten)
  }

  private func revoke(_ player: Player, of stream: LiveStream) {
    let client = player.client
    // What waits for a slow player is no longer meant for it.
    let departure = client.backlog > 0 ? Client.Departure.atOnce : .onceWritten
    client.plays[player.stream] = nil
    client.protocolState.endPlay(player.stream)
    observe(.cutOff(peer: client.peer, reason: "may no longer play \(stream.name.text)"))
    stream.removePlayer(of: client, player.stream)
    disconnectIfUnused(client, departure)
  }

  // MARK: - Time and end

  /// Refuses players whose wait has timed out, and flushes the recordings.
  mutating func tick(at now: MonotonicTime) {
    while let attempt = guesses.next(at: now) { handle(attempt.event, from: attempt.client, at: now) }
    for play in waiting where play.deadline <= now {
      refuse(.notFound, .notFound, play.client, stream: play.name)
    }
    waiting.removeAll { $0.deadline <= now }
    for stream in streams.values { stream.flushFile() }
  }

  func reportArrivals() {
    for stream in streams.values { stream.reportArrivals() }
  }

  mutating func remove(_ client: Client) {
    waiting.removeAll { $0.client === client }
    guesses.remove(client)
    for stream in client.publishes.values { end(stream, .disconnected) }
    for (id, stream) in client.plays { stream.removePlayer(of: client, id) }
    client.publishes = [:]
    client.plays = [:]
  }

  mutating func stop() {
    for stream in streams.values { cutShort(stream, .serverStopped) }
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

enum StreamKey {
  /// The first argument `key` of the queries, of which an earlier one counts before a later one. Further keys are
  /// ignored: an attempt is one guess.
  static func presented(in queries: [String]) -> String? {
    for query in queries {
      for argument in query.split(separator: "&") where argument.hasPrefix("key=") {
        // Malformed escapes are kept verbatim.
        return argument.dropFirst(4).percentDecoded(isLenient: true).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
    }
    return nil
  }
}
