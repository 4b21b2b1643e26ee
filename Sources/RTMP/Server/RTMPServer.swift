package import HoldfastMediaModel

/// The server side of an RTMP connection, without a socket: bytes in, events and bytes out.
///
/// The owner decides on requests; until a request is accepted or refused, `next` returns nil.
package struct RTMPServer: Sendable {
  package struct Settings: Sendable {
    /// Those of a client that may publish.
    package var limits = RTMPLimits()
    /// Maximum bytes of incomplete messages of any other client.
    package var strangerBytes = 1 << 20
    /// The acknowledgement window, in bytes, in both directions.
    package var window: UInt32 = 2_500_000
    package var streams = 8
    /// Maximum messages from a client that awaits an answer.
    package var waitingMessages = 256
    package var answersPings = true
    package var acknowledges = true
    /// Whether FCUnpublish and deleteStream end a publish.
    package var answersGoodBye = true
    /// Further fields of the information object that answers connect.
    package var information: [AMFValue.Field] = []
    package var digests: MessageDigests
    /// About 1536 random bytes, for the handshake.
    package var random: [UInt8]

    package init(digests: MessageDigests, random: [UInt8]) {
      self.digests = digests
      self.random = random
    }

    var strangerLimits: RTMPLimits {
      var limits = limits
      limits.messageSize = min(limits.messageSize, strangerBytes)
      limits.pendingBytes = min(limits.pendingBytes, strangerBytes)
      return limits
    }
  }

  enum Request: Hashable {
    case connect(transaction: Double, isEnhanced: Bool)
    case publish(StreamID, name: String)
    case play(StreamID, name: String, resets: Bool)
  }

  /// The use of a client's stream; `tracks` are those that a player has selected.
  enum StreamUse: Hashable {
    case unused
    case publishing(name: String)
    case playing(name: String, tracks: Set<TrackKind>)
  }

  package var outgoing = OutgoingBytes()
  let settings: Settings
  package internal(set) var isConnected = false
  var request: Request?
  var streams: [StreamID: StreamUse] = [:]
  var createdStreams: StreamID = 0
  var writer = ChunkWriter()
  var answers: UnreadAnswers
  var counters = RTMPCounters()
  private var handshake: Handshake
  var reader: ChunkReader
  private var inbox: [RTMPMessage] = []
  private var inboxHead = 0

  package init(_ settings: Settings) {
    self.settings = settings
    handshake = Handshake(.server, random: settings.random, digests: settings.digests)
    reader = ChunkReader(limits: settings.strangerLimits)
    answers = UnreadAnswers(limit: settings.limits.unreadAnswerBytes)
  }

  /// The size of the memory behind what has not been handled or sent yet.
  package var heldBytes: Int {
    outgoing.capacity + reader.heldBytes + inbox[inboxHead...].reduce(0) { $0 + $1.payload.capacity }
  }

  /// Frees that memory; the connection is over.
  package mutating func discard() {
    outgoing = OutgoingBytes()
    reader = ChunkReader(limits: settings.strangerLimits)
    (inbox, inboxHead) = ([], 0)
  }

  package var isAnswerDue: Bool { request != nil }

  /// Queues bytes from the client, in any pieces, for `next`.
  package mutating func receive(_ bytes: borrowing Span<UInt8>) throws(RTMPError) {
    var offset = 0
    if !handshake.isFinished { offset = try handshake.receive(bytes, &outgoing) }
    guard offset < bytes.count else { return }
    // Clients do not count the handshake; acknowledging it would exceed what was sent.
    counters.receive(bytes.count - offset)
    let messages = try reader.receive(bytes.extracting(offset..<bytes.count))
    for message in messages { try take(message) }
    if request != nil {
      let waiting = inbox[inboxHead...]
      guard waiting.count <= settings.waitingMessages,
        waiting.reduce(0, { $0 + $1.payload.count }) <= settings.strangerBytes
      else { throw .limitExceeded("messages before an answer") }
    }
    if settings.acknowledges, let number = counters.dueAcknowledgement() {
      answer { $0.writer.write(.acknowledgement, on: 2, number: number, in: &$0.outgoing) }
    }
    if answers.isOverLimit { throw .unreadAnswers }
  }

  /// Counts what `body` sends as answers, which the client has to read.
  mutating func answer<Result, Failure>(
    _ body: (inout RTMPServer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = outgoing.added
    let result = try body(&self)
    if outgoing.added > before { answers.add(since: before, in: outgoing) }
    return result
  }

  /// The next event; nil if all bytes are handled or a request awaits an answer.
  package mutating func next() throws(RTMPError) -> Event? {
    while request == nil, inboxHead < inbox.count {
      let message = inbox[inboxHead]
      // Keeps the payload uniquely referenced.
      inbox[inboxHead].payload = []
      inboxHead += 1
      if inboxHead == inbox.count {
        inbox.removeAll(keepingCapacity: true)
        inboxHead = 0
      }
      let event = try answer { (server) throws(RTMPError) in try server.handle(message) }
      if answers.isOverLimit { throw .unreadAnswers }
      if let event { return event }
    }
    return nil
  }

  private mutating func take(_ message: RTMPMessage) throws(RTMPError) {
    switch message.kind {
    case .windowAcknowledgementSize: counters.setAcknowledgementWindow(try message.number())
    case .aggregate: inbox += try message.parts(limits: settings.limits)
    case .setChunkSize, .abort, nil: break
    case .acknowledgement, .userControl, .setPeerBandwidth, .audio, .video, .dataAMF3, .commandAMF3,
      .dataAMF0, .commandAMF0:
      inbox.append(message)
    }
  }

  private mutating func handle(_ message: RTMPMessage) throws(RTMPError) -> Event? {
    switch message.kind {
    case .acknowledgement:
      counters.acknowledge(try message.number())
      return .acknowledged(totalBytes: counters.acknowledged)
    case .setPeerBandwidth:
      try writer.answerBandwidth(message, limit: settings.window, in: &outgoing)
      return nil
    case .userControl where !settings.answersPings: return nil
    case .userControl: return try writer.answerUserControl(message, in: &outgoing).map { .pong($0) }
    case .commandAMF0, .commandAMF3: return try handleCommand(message)
    case .audio: return media(.audio, message)
    case .video: return media(.video, message)
    case .dataAMF0, .dataAMF3: return data(message)
    case .setChunkSize, .abort, .windowAcknowledgementSize, .aggregate, nil: return nil
    }
  }

  /// The pong repeats the number.
  package mutating func ping(_ number: UInt32) {
    guard isConnected else { return }
    writer.writeUserControl(6, number, in: &outgoing)
  }
}
