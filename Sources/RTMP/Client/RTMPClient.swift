package import HoldfastMediaModel

/// The publishing side of an RTMP connection, without a socket: bytes in, events and bytes out.
package struct RTMPClient: Sendable {
  package struct Settings: Sendable {
    package var url: RTMPURL
    package var publishType: PublishType
    package var codecs: [Codec]
    package var limits = RTMPLimits()
    package var digests: MessageDigests
    /// About 1536 random bytes, for the handshake and challenges.
    package var random: [UInt8]
    package var authorization: RTMPAuthorization?
    package var extent = Extent.publish

    package init(
      url: RTMPURL, publishType: PublishType, codecs: [Codec], digests: MessageDigests, random: [UInt8]
    ) {
      self.url = url
      self.publishType = publishType
      self.codecs = codecs
      self.digests = digests
      self.random = random
    }
  }

  /// How far a client goes by itself.
  package enum Extent: Hashable, Sendable {
    /// `publish` does the rest. Servers run their callbacks at the first request that names the stream.
    case stream
    case publish
  }

  package enum Event: Hashable, Sendable {
    /// The application is accepted, the publish not yet.
    case connected
    /// There is a stream, which `publish` can use.
    case ready
    /// The publish is accepted; media may be sent.
    case accepted
    case refused(RTMPRefusal)
    /// The server disconnects and expects this authorization on a new connection.
    case authorizationRequested(RTMPAuthorization)
    case status(RTMPStatus)
    case acknowledged(totalBytes: UInt64)
    case pong(UInt32)
    /// The server requests a new connection, to `location` or to the same address.
    case reconnectRequested(location: String?)
    case ended
  }

  enum State: Hashable {
    case idle
    case handshaking
    case connecting
    case creatingStream
    case ready(streamID: UInt32)
    case requesting(streamID: UInt32)
    case publishing(streamID: UInt32)
    case ended
  }

  enum Command: String, Hashable {
    case connect, releaseStream, createStream, publish
    case fcPublish = "FCPublish"
  }

  package var outgoing = OutgoingBytes()
  let settings: Settings
  var state = State.idle
  private var handshake: Handshake
  private var reader: ChunkReader
  var writer = ChunkWriter()
  var counters = RTMPCounters()
  private var answers: UnreadAnswers
  private var transactions = 0
  var outstanding: [Int: Command] = [:]
  var window: UInt32?
  var tracks: [TrackKind: AnnouncedTrack] = [:]
  /// The server's codecs beyond the original ones; nil if it does not list any.
  package internal(set) var serverFourCCs: [String]?
  /// The server's product name; nil if it sends none.
  package internal(set) var serverName: String?

  package init(_ settings: Settings) {
    self.settings = settings
    handshake = Handshake(.client, random: settings.random, digests: settings.digests)
    reader = ChunkReader(limits: settings.limits)
    answers = UnreadAnswers(limit: settings.limits.unreadAnswerBytes)
  }

  /// Bytes ever put into `outgoing`.
  package var bytesSent: UInt64 { outgoing.added }

  package mutating func begin() {
    guard state == .idle else { return }
    state = .handshaking
    handshake.begin(in: &outgoing)
  }

  /// Publishes on the stream of a client that is `ready`.
  package mutating func publish(_ type: PublishType) throws(RTMPError) {
    guard case .ready(let streamID) = state else { return }
    try announce()
    try requestPublish(type, streamID: streamID)
  }

  /// Handles bytes from the server, in any pieces.
  package mutating func receive(_ bytes: borrowing Span<UInt8>) throws(RTMPError) -> [Event] {
    counters.receive(bytes.count)
    var offset = 0
    if !handshake.isFinished {
      guard state == .handshaking else { throw .malformed("the server speaks first") }
      offset = try handshake.receive(bytes, &outgoing)
      if handshake.isFinished { try connect() }
    }
    var events: [Event] = []
    if offset < bytes.count {
      for message in try reader.receive(bytes.extracting(offset..<bytes.count)) {
        let before = outgoing.added
        events += try handle(message)
        try countAnswer(since: before)
      }
    }
    if let number = counters.dueAcknowledgement() {
      let before = outgoing.added
      writer.write(.acknowledgement, on: 2, number: number, in: &outgoing)
      try countAnswer(since: before)
    }
    return events
  }

  private mutating func countAnswer(since before: UInt64) throws(RTMPError) {
    guard outgoing.added > before else { return }
    answers.add(since: before, in: outgoing)
    if answers.isOverLimit { throw .unreadAnswers }
  }

  /// Requests an acknowledgement for every `bytes` bytes.
  package mutating func requestAcknowledgements(every bytes: UInt32) {
    window = bytes
    writer.write(.windowAcknowledgementSize, on: 2, number: bytes, in: &outgoing)
  }

  /// The pong repeats the number.
  package mutating func ping(_ number: UInt32) { writer.writeUserControl(6, number, in: &outgoing) }

  /// Sends a command with a transaction number, which its answer repeats.
  mutating func call(
    _ command: Command, _ arguments: [AMFValue], streamID: UInt32 = 0
  ) throws(RTMPError) {
    guard outstanding.count < settings.limits.outstandingCommands else {
      throw .limitExceeded("commands without an answer")
    }
    transactions += 1
    outstanding[transactions] = command
    send(command.rawValue, [.number(Double(transactions))] + arguments, streamID: streamID)
  }

  mutating func send(_ name: String, _ values: [AMFValue], streamID: UInt32 = 0) {
    writer.writeCommand(name, values, on: streamID == 0 ? 3 : 8, streamID: streamID, in: &outgoing)
  }
}
