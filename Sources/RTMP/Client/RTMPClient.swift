package import HoldfastMediaModel

/// The publishing side of an RTMP connection, without a socket: bytes in, events and bytes out.
package struct RTMPClient: Sendable {
  package struct Settings: Sendable {
    package var url: RTMPURL
    package var publishType: PublishType
    /// What will be sent: a server is told of codecs that not every one knows.
    package var codecs: [Codec]
    package var limits = RTMPLimits()
    package var digests: MessageDigests
    /// Some 1536 random bytes, for the handshake and challenges.
    package var random: [UInt8]
    package var authorization: RTMPAuthorization?
    /// Without, it connects and asks for nothing: to measure only.
    package var publishes = true

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

  package enum Event: Hashable, Sendable {
    /// The application has been accepted, but not yet the publish.
    case connected
    /// The publish's own `onStatus`: media may be sent.
    case accepted
    case refused(RTMPRefusal)
    /// The server hangs up now and wants to see this at a new connection.
    case authorizationRequested(RTMPAuthorization)
    case status(RTMPStatus)
    case acknowledged(totalBytes: UInt64)
    case pong(UInt32)
    /// The server asks to be reached anew, there or at the same place.
    case reconnectRequested(location: String?)
    case ended
  }

  enum State: Hashable {
    case idle
    case handshaking
    case connecting
    /// The application has been accepted, and nothing more was asked for.
    case connected
    case creatingStream
    case requesting(streamID: UInt32)
    case publishing(streamID: UInt32)
    case over
  }

  enum Command: Hashable {
    case connect, releaseStream, fcPublish, createStream, publish
  }

  package var outgoing = OutgoingBytes()
  let settings: Settings
  var state = State.idle
  private var handshake: Handshake
  private var reader: ChunkReader
  var writer = ChunkWriter()
  var counters = RTMPCounters()
  private var transactions = 0
  var outstanding: [Int: Command] = [:]
  /// How often the server is to acknowledge, once we have asked for it.
  var window: UInt32?
  var tracks: [TrackKind: Codec] = [:]
  /// The codecs that the server says it knows besides the plain ones; nil where it says nothing.
  package internal(set) var serverFourCCs: [String]?

  package init(_ settings: Settings) {
    self.settings = settings
    handshake = Handshake(.client, random: settings.random, digests: settings.digests)
    reader = ChunkReader(limits: settings.limits)
  }

  /// All bytes that were ever put into `outgoing`.
  package var bytesSent: UInt64 { outgoing.removed &+ UInt64(outgoing.count) }
  package var bytesReceived: UInt64 { counters.received }

  package mutating func begin() {
    guard state == .idle else { return }
    state = .handshaking
    handshake.begin(in: &outgoing)
  }

  /// Takes what the server has sent, in any pieces.
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
        events += try handle(message)
      }
    }
    if let number = counters.dueAcknowledgement() {
      writer.write(.acknowledgement, on: 2, number: number, in: &outgoing)
    }
    return events
  }

  /// Asks the server to acknowledge each so many bytes.
  package mutating func askForAcknowledgements(every bytes: UInt32) {
    window = bytes
    writer.write(.windowAcknowledgementSize, on: 2, number: bytes, in: &outgoing)
  }

  /// Asks for a sign of life; the pong brings the number back.
  package mutating func ping(_ number: UInt32) {
    writer.writeUserControl(6, number, in: &outgoing)
  }

  /// Sends a command that is answered under its number.
  mutating func call(
    _ command: Command, _ name: String, _ arguments: [AMFValue], streamID: UInt32 = 0
  ) throws(RTMPError) {
    guard outstanding.count < settings.limits.outstandingCommands else {
      throw .tooMuch("commands without an answer")
    }
    transactions += 1
    outstanding[transactions] = command
    send(name, [.number(Double(transactions))] + arguments, streamID: streamID)
  }

  mutating func send(_ name: String, _ values: [AMFValue], streamID: UInt32 = 0) {
    writer.writeCommand(name, values, on: streamID == 0 ? 3 : 8, streamID: streamID, in: &outgoing)
  }
}
