import Glibc
import HoldfastCMicroHTTPD
import HoldfastMediaModel
import HoldfastPlatform

/// libmicrohttpd's callbacks, from pieces of requests to responses. All of it runs on the server's thread.
final class HTTPService {
  typealias Connection = OpaquePointer

  private let handler: any HTTPHandler
  let limits: HTTPLimits
  let rules: RequestRules
  private let transport: Transport
  private(set) var connections: OpenConnections<Connection>
  private(set) var streams = HTTPStreams()
  /// Nil without TLS.
  private var handshakes: RateLimit<SocketNetwork>?
  /// Of the same socket, with an older certificate.
  private var predecessors: [HTTPService] = []
  /// Tells browsers to use TLS only.
  let sendsHSTS: Bool
  private let deferred: DeferredResponses
  /// Connections suspended until their response is ready.
  private var waiting: [Connection: DeferredResponses.Pending] = [:]
  private var phase = Phase.serving
  /// Counts activity; a change means that another run is needed.
  private(set) var steps = 0

  private enum Phase {
    case serving
    /// Requests are answered, but streams end with what they have.
    case retired
    case ending
  }

  enum Transport {
    case unix(admits: @Sendable (PeerCredentials) -> Bool)
    /// Nil if the system does not report the owners of connections.
    case tcp(SocketOwners?)
  }

  init(
    limits: HTTPLimits, rules: RequestRules, transport: Transport, speaksTLS: Bool = false,
    sendsHSTS: Bool = false, deferred: DeferredResponses, handler: any HTTPHandler
  ) {
    handshakes =
      speaksTLS ? RateLimit(burst: limits.handshakes, refill: limits.handshakeInterval) : nil
    self.sendsHSTS = sendsHSTS
    self.deferred = deferred
    self.limits = limits
    self.rules = rules
    self.transport = transport
    self.handler = handler
    connections = OpenConnections(limits)
  }

  /// False if the kernel queues new connections until there is room.
  var filtersConnections: Bool {
    switch transport {
    case .unix: false
    case .tcp: true
    }
  }

  func follow(_ predecessor: HTTPService) {
    predecessors += predecessor.predecessors + [predecessor]
    predecessor.predecessors = []
  }

  func accepts(_ address: SocketAddress) -> Bool {
    let (network, now) = (address.network, MonotonicTime.now)
    if !predecessors.isEmpty {
      connections.retired = predecessors.reduce(0) { $0 + $1.connections.count }
      predecessors.removeAll { $0.connections.count == 0 }
    }
    // A handshake costs far more than anything else that a stranger can ask for.
    guard handshakes?.retryAfter(network, at: now) == nil, connections.makeRoom(for: network, at: now) else {
      return false
    }
    handshakes?.record(network, at: now)
    return true
  }

  func connected(_ connection: Connection) {
    let descriptor = cmhd_descriptor(connection)
    var peer: HTTPRequest.Peer?
    var network: SocketNetwork?
    switch transport {
    case .unix(let admits):
      let credentials = try? PeerCredentials(ofPeerAt: descriptor)
      if credentials.map(admits) == true { peer = .local }
    case .tcp(let owners):
      prepareServedSocket(descriptor)
      let address = SocketAddress(ofPeerAt: descriptor)
      let owner = owners?.owner(ofPeerAt: descriptor)
      peer = address.map { .remote(address: $0.host, isSameUser: owner == PeerCredentials.ownUser) }
      network = address?.network
    }
    connections.add(
      connection, .init(descriptor: descriptor, peer: peer, network: network, since: .now))
  }

  func disconnected(_ connection: Connection) {
    streams[connection] = nil
    _ = waiting.removeValue(forKey: connection)?.take()
    connections.remove(connection)
  }

  /// Called with the head of a request. Returning a response avoids reading the body.
  func began(
    _ exchange: HTTPExchange, on connection: Connection, method: String, headers: [RequestHead.Header]
  ) -> HTTPResponse? {
    connections.set(.answer, of: connection, at: .now)
    let head = exchange.begin(method: method, headers: headers)
    return connections[connection]?.peer == nil ? .notAdmitted : rules.refusal(of: head)
  }

  enum Answer {
    case response(HTTPResponse)
    /// The connection is suspended, and the question comes again.
    case later
    /// Nobody knows whether the work will be done: the connection is closed without an answer.
    case none
  }

  func answer(to exchange: HTTPExchange, on connection: Connection) -> Answer {
    if let pending = waiting.removeValue(forKey: connection) {
      return switch pending.take() {
      case .ready(let response): .response(limited(response))
      case .neverBegun: .response(.isEnding)
      case .unknown: .none
      }
    }
    guard let peer = connections[connection]?.peer, let request = exchange.request(from: peer) else {
      return .response(.notAdmitted)
    }
    guard !exchange.isTooLong else { return .response(.tooLong(limit: limits.bodySize)) }
    switch handler.handle(request) {
    case .immediate(let response): return .response(limited(response))
    case .deferred(let lane, let work):
      guard phase != .ending else { return .response(.isEnding) }
      guard let pending = deferred.begin(work, in: lane) else {
        handler.refusedAsTooBusy(request)
        return .response(.tooBusy)
      }
      connections.set(.deferred, of: connection, at: .now)
      waiting[connection] = pending
      MHD_suspend_connection(connection)
      return .later
    }
  }

  private func limited(_ response: HTTPResponse) -> HTTPResponse {
    if case .stream = response.body, !connections.hasRoomForStream { return .tooManyStreams }
    return response
  }

  func finished(_ connection: Connection) {
    steps += 1
    streams[connection] = nil
    connections.set(.none, of: connection, at: .now)
  }

  // MARK: Streams

  func beginStream(_ stream: any ResponseStream, on connection: Connection) -> HTTPStream {
    let stream = HTTPStream(stream, on: connection, timeout: limits.timeout)
    connections.set(.stream, of: connection, at: .now)
    streams[connection] = stream
    streams.expect(.now + limits.timeout)
    if phase != .serving { stream.finish(at: .now) }
    return stream
  }

  /// The number of bytes filled; nil at the end of the stream.
  func fill(_ stream: HTTPStream, _ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let now = MonotonicTime.now
    steps += 1
    switch stream.fill(buffer, at: now) {
    case .bytes(let count):
      streams.expect(now + limits.timeout)
      return count
    case .suspended(let until):
      streams.expect(until)
      return 0
    case .over: return nil
    }
  }

  // MARK: Calls of the loop

  func poll(at now: MonotonicTime, _ signals: HTTPLoop.Signals) {
    streams.poll(at: now, isSignalled: signals.contains(.readable))
    guard signals.contains(.answered) else { return }
    for (connection, pending) in waiting where pending.isReady { resume(connection) }
  }

  private func resume(_ connection: Connection) {
    steps += 1
    MHD_resume_connection(connection)
  }

  func endOverdue(at now: MonotonicTime) { connections.endOverdue(at: now) }

  var nextDeadline: MonotonicTime? {
    [connections.nextDeadline, streams.nextDeadline].compactMap { $0 }.min()
  }

  func retire() {
    phase = .retired
    streams.finish(at: .now)
  }

  func finishStreams() {
    phase = .ending
    streams.finish(at: .now)
  }

  func finishAll() {
    finishStreams()
    for connection in waiting.keys { resume(connection) }
  }
}

extension HTTPResponse {
  fileprivate static let notAdmitted = HTTPResponse(
    APIError(403, "forbidden", "this program belongs to another user"))

  fileprivate static let isEnding = HTTPResponse(APIError(503, "notTaken", "the program is about to end"))

  fileprivate static let tooBusy = HTTPResponse(
    APIError(503, "notTaken", "too many simultaneous requests", hint: "try again", retryAfter: .seconds(1)))

  fileprivate static let tooManyStreams = HTTPResponse(
    APIError(
      503, "tooManyStreams", "too many streams are open", hint: "try again later",
      retryAfter: .seconds(10)))
}
