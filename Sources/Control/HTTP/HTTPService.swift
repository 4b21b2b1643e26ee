internal import Glibc
internal import HoldfastCMicroHTTPD
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// What libmicrohttpd calls: from the pieces of requests to responses. All of it runs on the server's thread.
final class HTTPService {
  typealias Connection = OpaquePointer

  private let handler: any ControlHandler
  let limits: ControlLimits
  let rules: RequestRules
  private let entrance: Entrance
  private(set) var connections: OpenConnections<Connection>
  private(set) var streams = HTTPStreams()
  private let lateAnswers: LateAnswers
  /// Suspended until their answer is there.
  private var waiting: [Connection: LateAnswers.Answer] = [:]
  private var isEnding = false
  /// Grows with all that happens.
  private(set) var steps = 0

  /// How clients come in.
  enum Entrance {
    case unix(admits: @Sendable (PeerCredentials) -> Bool)
    /// Nil where the system does not say whose connections there are.
    case tcp(SocketOwners?)
  }

  init(
    limits: ControlLimits, rules: RequestRules, entrance: Entrance, lateAnswers: LateAnswers,
    handler: any ControlHandler
  ) {
    self.lateAnswers = lateAnswers
    self.limits = limits
    self.rules = rules
    self.entrance = entrance
    self.handler = handler
    connections = OpenConnections(limits)
  }

  /// False where the system lets newcomers wait until there is room.
  var choosesWhoComes: Bool {
    switch entrance {
    case .unix: false
    case .tcp: true
    }
  }

  /// False sends a newcomer away.
  func accepts(_ address: SocketAddress) -> Bool {
    connections.makeRoom(for: address.network, at: .now)
  }

  func connected(_ connection: Connection) {
    let descriptor = cmhd_descriptor(connection)
    switch entrance {
    case .unix(let admits):
      let peer = try? PeerCredentials(ofPeerAt: descriptor)
      connections.add(
        connection,
        .init(
          descriptor: descriptor, peer: peer.map(admits) == true ? .local : nil, network: nil, since: .now))
    case .tcp(let owners):
      prepareServedSocket(descriptor)
      let address = SocketAddress(ofPeerAt: descriptor)
      let owner = owners?.owner(ofPeerAt: descriptor)
      connections.add(
        connection,
        .init(
          descriptor: descriptor,
          peer: address.map {
            .remote(address: $0.host, isSameUser: owner == PeerCredentials.ownUser)
          }, network: address?.network, since: .now))
    }
  }

  func disconnected(_ connection: Connection) {
    streams[connection] = nil
    waiting[connection] = nil
    connections.remove(connection)
  }

  /// The head of a request has come. A response at once spares us the body.
  func began(
    _ exchange: HTTPExchange, on connection: Connection, method: String, headers: [RequestHead.Header]
  ) -> ControlResponse? {
    connections.set(.answer, of: connection, at: .now)
    let head = exchange.begin(method: method, headers: headers)
    return connections[connection]?.peer == nil ? .notAdmitted : rules.refusal(of: head)
  }

  func continued(_ exchange: HTTPExchange, _ piece: UnsafeRawBufferPointer) {
    exchange.append(piece, limit: limits.bodySize)
  }

  /// Nil where it takes a while: the connection is suspended, and this is asked again.
  func response(to exchange: HTTPExchange, on connection: Connection) -> ControlResponse? {
    if let answer = waiting.removeValue(forKey: connection) { return answer.take() ?? .isEnding }
    guard let peer = connections[connection]?.peer, let request = exchange.request(from: peer) else {
      return .notAdmitted
    }
    guard !exchange.isTooLong else { return .tooLong(limit: limits.bodySize) }
    switch handler.handle(request) {
    case .now(let response): return checked(response)
    case .later(let work):
      guard !isEnding else { return .isEnding }
      guard let answer = lateAnswers.begin(work) else { return .tooBusy }
      connections.set(.lateAnswer, of: connection, at: .now)
      waiting[connection] = answer
      MHD_suspend_connection(connection)
      return nil
    }
  }

  private func checked(_ response: ControlResponse) -> ControlResponse {
    switch response.body {
    case .stream where !connections.hasRoomForStream: return .tooManyStreams
    case .stream, .bytes: return response
    }
  }

  func finished(_ connection: Connection) {
    steps += 1
    streams[connection] = nil
    connections.set(.none, of: connection, at: .now)
  }

  // MARK: Streams

  func beginStream(_ stream: any ControlStream, on connection: Connection) -> HTTPStream {
    let stream = HTTPStream(stream, on: connection, patience: limits.patience)
    connections.set(.stream, of: connection, at: .now)
    streams[connection] = stream
    streams.expect(.now + limits.patience)
    if isEnding { stream.finish(at: .now) }
    return stream
  }

  /// How many bytes there are for a stream; nil when it is over.
  func fill(_ stream: HTTPStream, _ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let now = MonotonicTime.now
    steps += 1
    switch stream.fill(buffer, at: now) {
    case .bytes(let count):
      streams.expect(now + limits.patience)
      return count
    case .suspended(let until):
      streams.expect(until)
      return 0
    case .over: return nil
    }
  }

  // MARK: What the loop calls

  func look(at now: MonotonicTime, hasRung: Bool) {
    streams.look(at: now, hasRung: hasRung)
    if hasRung { for (connection, answer) in waiting where answer.isThere { goOn(connection) } }
  }

  private func goOn(_ connection: Connection) {
    steps += 1
    MHD_resume_connection(connection)
  }

  func endOverdue(at now: MonotonicTime) {
    connections.endOverdue(at: now)
  }

  var nextDeadline: MonotonicTime? {
    [connections.nextDeadline, streams.nextDeadline].compactMap { $0 }.min()
  }

  func finishStreams() {
    isEnding = true
    streams.finish(at: .now)
  }

  /// Nobody is waited for any more.
  func finishAll() {
    finishStreams()
    for connection in waiting.keys { goOn(connection) }
  }
}

extension ControlResponse {
  fileprivate static let notAdmitted = refusal(
    403, ControlError(code: "forbidden", message: "this broadcast belongs to another user"))

  fileprivate static let isEnding = refusal(
    503, ControlError(code: "notTaken", message: "the broadcast is about to end", hint: nil))

  fileprivate static let tooBusy = refusal(
    503, ControlError(code: "notTaken", message: "too much is asked for at once", hint: "try again"),
    headers: [("Retry-After", "1")])

  fileprivate static let tooManyStreams = refusal(
    503,
    ControlError(
      code: "tooManyStreams", message: "as many follow this broadcast as there is room for",
      hint: "try again later"), headers: [("Retry-After", "10")])
}
