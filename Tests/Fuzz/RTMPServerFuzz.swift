import HoldfastMediaModel
import HoldfastRTMP

/// A relaying server, with arbitrary bytes from the client.
enum RTMPServerFuzz {
  static let target = FuzzTarget(name: "RTMPServer", seeds: { RTMPServerSeeds.all }, run: run)

  /// Clients at each stage of a conversation; the first is before the handshake.
  private static let beginnings: [Peer] = {
    var settings = RTMPServer.Settings(digests: .quick, random: Array(repeating: 9, count: 1536))
    settings.limits.unreadAnswerBytes = 4096
    var peer = Peer(RTMPServer(settings), refuses: false)
    var beginnings = [peer]
    for step in [RTMPClientSeeds.handshake] + RTMPServerSeeds.requests.map({ FuzzInput.chunks(of: [$0]) }) {
      _ = peer.take(step.span)
      beginnings.append(peer)
    }
    return beginnings.map { peer in
      var peer = peer
      peer.server.outgoing.removeFirst(peer.server.outgoing.count)
      return peer
    }
  }()

  @Sendable private static func run(_ bytes: borrowing Span<UInt8>) {
    guard let input = FuzzInput(bytes) else { return }
    // Decisions between two pieces affect the following ones, so the results of cut and whole input may
    // differ.
    var peer = beginnings[Int(input.mode & 7) % beginnings.count]
    peer.refuses = input.mode & 0x10 != 0
    // The client reads nothing.
    input.forEachPiece(cut: input.isCut) { piece in
      let goesOn = peer.take(piece)
      let waiting = peer.server.outgoing.count
      require(waiting < 16384 + peer.relayed, "\(waiting) bytes wait to be sent")
      return goesOn
    }
    peer.end()
  }
}

/// A server with a delegate that accepts or refuses requests.
private struct Peer {
  var server: RTMPServer
  var refuses: Bool
  private var publishing: Set<RTMPServer.StreamID> = []
  private var playing: Set<RTMPServer.StreamID> = []
  /// An upper bound of the bytes that were passed on to players.
  private(set) var relayed = 0

  init(_ server: RTMPServer, refuses: Bool) {
    self.server = server
    self.refuses = refuses
  }

  /// False if the server fails.
  mutating func take(_ piece: borrowing Span<UInt8>) -> Bool {
    do {
      try server.receive(piece)
      while let event = try server.next() { follow(event) }
      require(!server.isAnswerDue, "an event for a request is missing")
      return true
    } catch {
      return false
    }
  }

  private mutating func follow(_ event: RTMPServer.Event) {
    switch event {
    case .connectRequested: answer(true)
    case .publishRequested(let request):
      if answer(request.name.utf8.count < 256) { publishing.insert(request.stream) }
    case .playRequested(let request):
      if answer(request.name.utf8.count < 256) { playing.insert(request.stream) }
    case .media(let stream, let kind, let timestamp, let payload):
      require(publishing.contains(stream), "media of a stream that is not published")
      _ = kind == .video ? FLVTag(video: payload) : FLVTag(audio: payload)
      for player in playing {
        relayed += 64 + 2 * payload.count
        server.send(kind, payload, timestamp: timestamp, to: player)
      }
    case .metadata(let stream, let timestamp, let payload), .data(let stream, _, let timestamp, let payload):
      require(publishing.contains(stream), "data of a stream that is not published")
      for player in playing {
        relayed += 64 + 2 * payload.count
        server.sendData(payload, timestamp: timestamp, to: player)
      }
    case .unpublished(let stream):
      require(publishing.remove(stream) != nil, "the end of what was not published")
    case .playStopped(let stream): require(playing.remove(stream) != nil, "the end of what was not played")
    case .paused, .acknowledged, .pong: break
    }
  }

  @discardableResult private mutating func answer(_ isFine: Bool) -> Bool {
    require(server.isAnswerDue, "a question that nobody may answer")
    let accepts = isFine && !refuses
    if accepts { server.accept() } else { server.refuse(RTMPServer.Refusal(.denied, "no")) }
    return accepts
  }

  mutating func end() {
    server.ping(1)
    for stream in publishing { server.endPublish(stream, "over") }
    for stream in playing { server.endPlay(stream) }
  }
}
