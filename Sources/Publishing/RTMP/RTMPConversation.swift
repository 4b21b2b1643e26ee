import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// The RTMP client on a connection.
final class RTMPConversation {
  var client: RTMPClient
  private var connection: Connection
  private let url: RTMPURL
  private var hasEnded = false
  private(set) var wasReset = false

  /// Bounds the time spent on a server that keeps sending.
  private static let maxReads = 16
  /// A large kernel buffer would hide a stalled server, and its packets could no longer be dropped.
  private static let maxUnsentBytes = 128 << 10
  /// How often the kernel is asked what it has still to send.
  private static let unsentInterval = MediaTime.milliseconds(10)

  init(
    _ url: RTMPURL, _ type: PublishType, _ codecs: [Codec] = [], authorization: RTMPAuthorization?,
    extent: RTMPClient.Extent = .publish, tls: TLSSettings, until deadline: MonotonicTime, stop: Wakeup,
    onStep: (ConnectionStep) -> Void = { _ in }
  ) throws(SinkError) {
    let digests = MessageDigests(md5: md5, hmacSHA256: hmacSHA256)
    var settings = RTMPClient.Settings(
      url: url, publishType: type, codecs: codecs, digests: digests, random: randomBytes(1536))
    settings.authorization = authorization
    settings.extent = extent
    self.url = url
    client = RTMPClient(settings)
    do {
      connection = try Connection(
        host: url.host, port: url.port, tls: url.isSecure ? tls : nil, until: deadline, stop: stop,
        onStep: onStep)
    } catch {
      throw SinkError(error, at: url.redacted)
    }
    connection.limitUnsentBytes(to: Self.maxUnsentBytes)
    client.begin()
  }

  /// Calls `attempt` with the authorization that the server requests: first for its challenge, then our
  /// response.
  static func authorized(
    at place: String = "",
    _ attempt: (RTMPAuthorization?) throws(SinkError) -> RTMPAuthorization?
  ) throws(SinkError) {
    var authorization: RTMPAuthorization?
    for _ in 0..<3 {
      guard let requested = try attempt(authorization) else { return }
      authorization = requested
    }
    throw SinkError(.refused, "\(place)the server repeatedly requests a user name and password")
  }

  var backlog: Int { client.outgoing.count }
  var unsentBytes: Int { connection.unsentBytes }
  var roundTrip: MediaTime? { connection.roundTrip }
  /// Bytes taken by the peer's operating system.
  var bytesTaken: Int64 { Int64(clamping: client.bytesSent) - Int64(backlog) - Int64(unsentBytes) }

  /// Writes, waits and reads. `refusal` is the error text if the server disconnects.
  func exchange(
    until deadline: MonotonicTime, also: [Int32] = [], refusal: String? = nil
  ) throws(SinkError) -> [RTMPClient.Event] {
    do {
      do {
        try connection.write(from: &client.outgoing)
        try connection.wait(toWrite: backlog > 0, until: deadline, also: also)
        try connection.write(from: &client.outgoing)
      } catch {
        // The server's last message is more informative than the disconnect.
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
        hasEnded = true
        guard events.isEmpty else { return events }
        throw SinkError(.closed, "the server ended the connection")
      }
    }
    return events
  }

  /// Says good-bye and ends sending; false if the server has not closed the connection by `deadline`, or is silent for
  /// longer than `patience` once it has been handed everything.
  @discardableResult
  func finish(
    until deadline: MonotonicTime, patience: () -> MediaTime = { AnswerTime.minPatience },
    _ hear: ([RTMPClient.Event]) -> Void = { _ in }
  ) -> Bool {
    client.finish()
    try? connection.write(from: &client.outgoing)
    while backlog > 0, .now < deadline {
      guard let events = try? exchange(until: min(deadline, .now + Self.unsentInterval)) else { break }
      hear(events)
    }
    connection.endSending(until: deadline)
    while unsentBytes > 0, .now < deadline {
      if listen(until: min(deadline, .now + Self.unsentInterval), patience: patience, hear) { return true }
    }
    return listen(until: deadline, patience: patience, hear)
  }

  /// Ends sending at once; what the kernel has still goes out.
  func leave() { connection.endSending() }

  /// Reads until the server closes the connection; false if it has not by `deadline`, or is silent for longer than
  /// `patience` before. Behind a slow line the answers to what was sent last come one by one.
  func listen(
    until deadline: MonotonicTime, patience: () -> MediaTime, _ hear: ([RTMPClient.Event]) -> Void
  ) -> Bool {
    var heardAt = MonotonicTime.now
    do {
      while true {
        let events = try read()
        hear(events)
        if hasEnded { return true }
        if !events.isEmpty { heardAt = .now }
        let limit = min(deadline, heardAt + patience())
        guard .now < limit else { return false }
        try connection.wait(until: limit)
      }
    } catch {
      wasReset = !hasEnded
      return true
    }
  }

  func abort() { connection.abort() }
}
