internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRTMP

/// The protocol's machine on a connection: bytes go to and fro, events come out.
final class RTMPConversation {
  var client: RTMPClient
  private var connection: Connection
  private let url: RTMPURL
  private var input: [UInt8] = []

  private static let readSize = 64 << 10
  /// A server that talks without end does not keep us from looking after anything else.
  private static let maxReads = 16
  /// The kernel is to hold little: what lies there can't be left out any more, and hides a server that takes nothing.
  private static let sendBuffer = 128 << 10

  init(
    _ settings: RTMPClient.Settings, tls: TLSSettings?, until deadline: MonotonicTime, stop: Wakeup,
    onStep: (ConnectionStep) -> Void = { _ in }
  ) throws(SinkError) {
    url = settings.url
    client = RTMPClient(settings)
    do {
      connection = try Connection(
        host: settings.url.host, port: settings.url.port, tls: tls, until: deadline, stop: stop,
        onStep: onStep)
    } catch {
      throw SinkError(error)
    }
    connection.setSendBuffer(Self.sendBuffer)
    client.begin()
  }

  var backlog: Int { client.outgoing.count }
  var unsentBytes: Int { connection.unsentBytes }
  var roundTrip: MediaTime? { connection.roundTrip }
  /// Bytes that the other side's system has taken.
  var taken: Int64 { Int64(clamping: client.bytesSent) - Int64(backlog) - Int64(unsentBytes) }

  /// Writes what the network takes, waits for something to happen, reads what has come.
  func turn(until deadline: MonotonicTime, also: [Int32] = []) throws(SinkError) -> [RTMPClient.Event] {
    do {
      do {
        try write()
        try connection.wait(toWrite: backlog > 0, until: deadline, also: also)
        try write()
      } catch {
        // What the server said before it hung up counts more than that it did.
        let last = (try? read()) ?? []
        guard last.isEmpty else { return last }
        throw error
      }
      return try read()
    } catch let error as ConnectionError {
      throw SinkError(error)
    } catch let error as RTMPError {
      throw SinkError(error, url)
    } catch let error as SinkError {
      throw error
    } catch {
      throw SinkError(.system, "\(error)")
    }
  }

  private func write() throws {
    while backlog > 0 {
      let taken = try client.outgoing.withUnsent { bytes throws(ConnectionError) in
        try connection.write(bytes)
      }
      guard taken > 0 else { return }
      client.sent(taken)
    }
  }

  private func read() throws -> [RTMPClient.Event] {
    var events: [RTMPClient.Event] = []
    var input = self.input
    self.input = []
    defer { self.input = input }
    for _ in 0..<Self.maxReads {
      input.removeAll(keepingCapacity: true)
      switch try connection.read(into: &input, limit: Self.readSize) {
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

  func close() {
    finish(until: .now + .milliseconds(500))
  }

  func abort() {
    connection.abort()
  }
}
