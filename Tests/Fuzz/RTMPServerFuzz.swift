import HoldfastMediaModel
import HoldfastRTMP

/// A server, which passes on what it is sent, and a client that may say anything.
enum RTMPServerFuzz {
  static let target = FuzzTarget(name: "RTMPServer", seeds: { RTMPServerSeeds.all }, run: run)

  /// Conversations that have come so far: only the first has its handshake still to come.
  private static let beginnings: [Peer] = {
    var peer = Peer(
      RTMPServer(RTMPServer.Settings(digests: .quick, random: Array(repeating: 9, count: 1536))),
      refuses: false)
    var beginnings = [peer]
    for step in [RTMPServerSeeds.handshake] + RTMPServerSeeds.requests.map({ wire([$0]) }) {
      _ = peer.take(step.span)
      beginnings.append(peer)
    }
    return beginnings.map { peer in
      var peer = peer
      peer.server.outgoing.removeFirst(peer.server.outgoing.count)
      return peer
    }
  }()

  private static func wire(_ messages: [RTMPMessage]) -> [UInt8] {
    ([FuzzInput.framed, 0] + FuzzInput.records(messages)).withUnsafeBufferPointer { bytes in
      FuzzInput(bytes.span)?.bytes ?? []
    }
  }

  @Sendable private static func run(_ bytes: borrowing Span<UInt8>) {
    guard let input = FuzzInput(bytes) else { return }
    // What is decided between two pieces changes what the next one means, so only the way matters, not the outcome.
    _ = converse(input, cut: input.isCut)
  }

  /// What the server tells; nil where it gives up.
  private static func converse(_ input: FuzzInput, cut: Bool) -> [RTMPServer.Event]? {
    var peer = beginnings[Int(input.mode & 7) % beginnings.count]
    peer.refuses = input.mode & 0x10 != 0
    var events: [RTMPServer.Event]? = []
    var received = 0
    input.forEachPiece(cut: cut) { piece in
      received += piece.count
      guard let new = peer.take(piece) else {
        events = nil
        return false
      }
      events? += new
      let waiting = peer.server.outgoing.count
      require(waiting < 16384 + 1024 * received, "\(waiting) bytes wait to be sent")
      return true
    }
    peer.end()
    return events
  }
}

/// A server with somebody who decides.
private struct Peer {
  var server: RTMPServer
  var refuses: Bool
  private var publishing: Set<RTMPServer.StreamID> = []
  private var playing: Set<RTMPServer.StreamID> = []

  init(_ server: RTMPServer, refuses: Bool) {
    self.server = server
    self.refuses = refuses
  }

  mutating func take(_ piece: borrowing Span<UInt8>) -> [RTMPServer.Event]? {
    do {
      try server.receive(piece)
      var events: [RTMPServer.Event] = []
      while let event = try server.next() {
        follow(event)
        events.append(event)
      }
      require(!server.isAnswerDue, "a question has not been told")
      return events
    } catch {
      return nil
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
      for player in playing { server.send(kind, payload, timestamp: timestamp, to: player) }
    case .metadata(let stream, let timestamp, let payload), .data(let stream, _, let timestamp, let payload):
      require(publishing.contains(stream), "data of a stream that is not published")
      for player in playing { server.sendData(payload, timestamp: timestamp, to: player) }
    case .unpublished(let stream):
      require(publishing.remove(stream) != nil, "the end of what was not published")
    case .playStopped(let stream):
      require(playing.remove(stream) != nil, "the end of what was not played")
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
