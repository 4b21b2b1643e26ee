import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// The protocol's machine on a connection: bytes go to and fro, events come out.
final class RTMPConversation {
  var client: RTMPClient
  private var connection: Connection
  private let url: RTMPURL

  /// So that a server that sends without end does not hold up everything else.
  private static let maxReads = 16
  /// The kernel is to hold little: what lies there can't be left out any more, and hides a server that takes nothing.
  private static let sendBuffer = 128 << 10

  init(
    _ url: RTMPURL, _ type: PublishType, _ codecs: [Codec] = [], authorization: RTMPAuthorization?,
    publishes: Bool = true, tls: TLSSettings, until deadline: MonotonicTime, stop: Wakeup,
    onStep: (ConnectionStep) -> Void = { _ in }
  ) throws(SinkError) {
    let digests = MessageDigests(
      md5: { HoldfastPlatform.md5($0) }, hmacSHA256: { HoldfastPlatform.hmacSHA256(key: $0, message: $1) })
    var settings = RTMPClient.Settings(
      url: url, publishType: type, codecs: codecs, digests: digests, random: randomBytes(1536))
    settings.authorization = authorization
    settings.publishes = publishes
    self.url = url
    client = RTMPClient(settings)
    do {
      connection = try Connection(
        host: url.host, port: url.port, tls: url.isSecure ? tls : nil, until: deadline, stop: stop,
        onStep: onStep)
    } catch {
      throw SinkError(error, at: url.redacted)
    }
    connection.setSendBuffer(Self.sendBuffer)
    client.begin()
  }

  /// Calls `attempt` with the authorization that the server asks for: once for its challenge, once for our answer.
  static func authorized(
    at place: String = "",
    _ attempt: (RTMPAuthorization?) throws(SinkError) -> RTMPAuthorization?
  ) throws(SinkError) -> RTMPAuthorization? {
    var authorization: RTMPAuthorization?
    for _ in 0..<3 {
      guard let requested = try attempt(authorization) else { return authorization }
      authorization = requested
    }
    throw SinkError(.refused, "\(place)the server asks for a name and password again and again")
  }

  var backlog: Int { client.outgoing.count }
  var unsentBytes: Int { connection.unsentBytes }
  var roundTrip: MediaTime? { connection.roundTrip }
  /// Bytes that the other side's system has taken.
  var taken: Int64 { Int64(clamping: client.bytesSent) - Int64(backlog) - Int64(unsentBytes) }

  /// Writes what the network takes, waits, and reads what has come. With `refusal`, a server that hangs up refuses the
  /// publish, in those words.
  func turn(
    until deadline: MonotonicTime, also: [Int32] = [], refusal: String? = nil
  ) throws(SinkError) -> [RTMPClient.Event] {
    do {
      do {
        try connection.write(from: &client.outgoing)
        try connection.wait(toWrite: backlog > 0, until: deadline, also: also)
        try connection.write(from: &client.outgoing)
      } catch {
        // What the server said before it hung up counts more than that it did.
        let last = (try? read()) ?? []
        guard last.isEmpty else { return last }
        throw error
      }
      return try read()
    } catch {
      let error = SinkError(error, at: url.redacted)
      guard let refusal, error.kind == .closed else { throw error }
      throw SinkError(.closedBeforeAccepted, refusal)
    }
  }

  private func read() throws -> [RTMPClient.Event] {
    var events: [RTMPClient.Event] = []
    var input: [UInt8] = []
    for _ in 0..<Self.maxReads {
      input.removeAll(keepingCapacity: true)
      switch try connection.read(into: &input) {
      case .bytes: events += try client.receive(input.span)
      case .nothingYet: return events
      case .ended:
        guard events.isEmpty else { return events }
        throw SinkError(.closed, "the server ended the connection")
      }
    }
    return events
  }

  /// Ends the publish in order and hangs up.
  func finish(until deadline: MonotonicTime) {
    client.finish()
    while backlog > 0, .now < deadline, (try? turn(until: deadline)) != nil {}
    connection.finish(until: deadline)
  }

  func abort() {
    connection.abort()
  }
}

extension Connection {
  /// Writes as much as the network takes.
  mutating func write(from outgoing: inout OutgoingBytes) throws(ConnectionError) {
    while !outgoing.isEmpty {
      let taken = try outgoing.withUnsent { bytes throws(ConnectionError) in try write(bytes) }
      guard taken > 0 else { return }
      outgoing.removeFirst(taken)
    }
  }
}
