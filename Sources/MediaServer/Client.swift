import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// One connection to the server, with the protocol's state; the server's thread owns it.
final class Client {
  let peer: String
  let network: SocketNetwork
  private var connection: Connection
  var protocolState: RTMPServer
  var application = ""
  /// The query of the application name.
  var query = ""
  var publishes: [RTMPServer.StreamID: LiveStream] = [:]
  var plays: [RTMPServer.StreamID: LiveStream] = [:]

  let accepted: MonotonicTime
  private(set) var lastHeard: MonotonicTime
  private(set) var lastWritten: MonotonicTime
  private var lastUsed: MonotonicTime
  private var lastPing: MonotonicTime
  private var isBlocked = false
  private(set) var isClosed = false
  /// Nil unless it is to be disconnected.
  var departure: Departure?

  enum Departure: Hashable {
    case onceWritten
    /// What is not written yet is lost.
    case atOnce
  }

  private static let pieceSize = 64 << 10

  init(_ connection: consuming Connection, _ settings: RTMPServer.Settings, at now: MonotonicTime) {
    peer = connection.peer
    network = connection.peerNetwork
    self.connection = connection
    protocolState = RTMPServer(settings)
    accepted = now
    lastHeard = now
    lastWritten = now
    lastUsed = now
    lastPing = now
  }

  var descriptor: Int32 { connection.descriptor }
  /// The bytes that wait to be sent.
  var backlog: Int { protocolState.outgoing.count + connection.pendingBytes }
  /// The TLS handshake is to be finished.
  var isInTLSHandshake: Bool { connection.isInHandshake }
  /// Bytes may have been received that polling does not show.
  var mayHoldMore: Bool { connection.mayHoldMore }
  var heldBytes: Int { protocolState.heldBytes }
  /// Takes a connection without using it.
  var isHalfOpen: Bool {
    publishes.isEmpty && plays.isEmpty && (awaitsJudgement || !protocolState.isAnswerDue)
  }
  /// Its key is to be judged later.
  var awaitsJudgement = false
  var wantsToWrite: Bool { isBlocked && backlog > 0 }

  /// Reads available bytes, using `buffer` as scratch space. False at the end of the stream.
  func read(through buffer: inout [UInt8], at now: MonotonicTime) throws -> Bool {
    buffer.removeAll(keepingCapacity: true)
    switch try connection.read(into: &buffer, limit: Self.pieceSize) {
    case .nothingYet: return true
    case .ended: return false
    case .bytes:
      lastHeard = now
      try protocolState.receive(buffer.span)
      return true
    }
  }

  func becameWritable() { isBlocked = false }

  func write(at now: MonotonicTime) throws(ConnectionError) {
    while !isBlocked, backlog > 0 {
      let offered = min(protocolState.outgoing.count, Self.pieceSize)
      let pending = connection.pendingBytes
      let taken = try protocolState.outgoing.withUnsent { (bytes) throws(ConnectionError) in
        try connection.write(bytes.extracting(0..<offered))
      }
      protocolState.outgoing.removeFirst(taken)
      if taken > 0 || connection.pendingBytes < pending { lastWritten = now }
      isBlocked = taken < offered || connection.pendingBytes > 0
    }
    if backlog == 0 { lastWritten = now }
  }

  func pingIfSilent(for interval: MediaTime, at now: MonotonicTime) {
    guard protocolState.isConnected, now >= lastHeard + interval, now >= lastPing + interval else { return }
    lastPing = now
    protocolState.ping(UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000))
  }

  /// Shuts the connection down. Bytes already handed to the system are still sent, unless it has to leave at once.
  func finish() {
    isClosed = true
    if departure == .atOnce { connection.abort() } else { connection.endSending() }
    protocolState.discard()
  }

  /// The reason to disconnect this client now; nil if there is none.
  func disconnectReason(_ configuration: MediaServer.Configuration, at now: MonotonicTime) -> String? {
    if !protocolState.isConnected {
      guard now >= accepted + configuration.handshakeTimeout else { return nil }
      return isInTLSHandshake ? "did not finish the TLS handshake in time" : "sent no connect command in time"
    }
    if now >= lastHeard + configuration.silenceTimeout { return "silent for too long" }
    if !publishes.isEmpty || !plays.isEmpty || protocolState.isAnswerDue { lastUsed = now }
    if now >= lastUsed + configuration.idleTimeout { return "neither publishes nor plays" }
    return backlog > 0 && now >= lastWritten + configuration.silenceTimeout ? "has stopped reading" : nil
  }
}
