import HoldfastMediaModel
package import HoldfastPlatform

/// Serves requests on a unix socket and TCP ports, all on one thread.
package final class HTTPServer: Sendable {
  /// Of the unix socket; empty without one.
  package let path: String
  private let socket: Locked<UnixListener?>
  private let listeners: [TCPListener]
  private let deferred: [DeferredResponses]
  private let thread: StoppableThread

  /// Descriptors reserved for the rest of the program.
  private static let otherDescriptors = 512

  /// Starts serving. `wakeup` is signalled when the handler's streams have something to send; `progressed` is called at least
  /// each second by the server's own thread.
  package init(
    _ socket: consuming UnixListener?, listeners: [TCPListener] = [], wakeup: Wakeup? = nil,
    limits: HTTPLimits = .unix, tcpLimits: HTTPLimits = .tcp, formPaths: Set<String> = [],
    admits: @escaping @Sendable (PeerCredentials) -> Bool = { PeerCredentials.mayControl($0.user) },
    progressed: (@Sendable () -> Void)? = nil,
    handler: any HTTPHandler
  ) throws(SystemError) {
    let readable = if let wakeup { wakeup } else { try Wakeup() }
    let answered = try Wakeup()
    // The socket has threads of its own, which network requests can't block; in each, commands have their own.
    let local = try DeferredResponses(answered, capacity: limits.pending)
    let remote = listeners.isEmpty ? nil : try DeferredResponses(answered, capacity: tcpLimits.pending)
    // libmicrohttpd closes the socket that it is given.
    let own = try socket.duplicate().map { (descriptor) throws(SystemError) in
      try HTTPDaemon(
        listeningOn: descriptor,
        service: HTTPService(
          limits: limits, rules: RequestRules(bodySize: limits.bodySize), transport: .unix(admits: admits),
          deferred: local, handler: handler))
    }
    let tcpLimits = Self.affordable(tcpLimits, beside: limits, listeners)
    let daemons: @Sendable (TCPListener, TLSIdentity?) throws(SystemError) -> [HTTPDaemon] = {
      (listener, identity) throws(SystemError) in
      var rules = listener.rules
      rules.bodySize = tcpLimits.bodySize
      rules.formPaths = formPaths
      return try listener.duplicates().map { (socket) throws(SystemError) in
        let service = HTTPService(
          limits: tcpLimits, rules: rules, transport: .tcp(try? SocketOwners()),
          speaksTLS: listener.speaksTLS, sendsHSTS: listener.sendsHSTS, deferred: remote ?? local,
          handler: handler)
        return try HTTPDaemon(
          listeningOn: socket, identity: identity.map(HTTPIdentity.init), service: service)
      }
    }
    let groups =
      [own.map { [$0] } ?? []]
      + (try listeners.map { (listener) throws(SystemError) in
        try daemons(listener, listener.identity)
      })
    let loop = HTTPLoop(groups: groups, readable: readable, answered: answered, progressed: progressed)
    for (number, listener) in listeners.enumerated() {
      listener.onRenewal { [weak listener] identity throws(SystemError) in
        if let listener { loop.replace(group: number + 1, by: try daemons(listener, identity)) }
      }
    }
    path = socket.path
    self.listeners = listeners
    self.socket = Locked(socket)
    deferred = [local] + [remote].compactMap(\.self)
    thread = try StoppableThread(name: "control") { stop in loop.run(until: stop) }
  }

  /// `limits`, with fewer connections if the descriptor limit is too low.
  private static func affordable(
    _ limits: HTTPLimits, beside unix: HTTPLimits, _ listeners: [TCPListener]
  ) -> HTTPLimits {
    guard !listeners.isEmpty else { return limits }
    let sockets = listeners.reduce(0) { $0 + $1.addresses.count }
    let others = unix.connections + otherDescriptors
    let room = raiseDescriptorLimit(to: others + limits.connections * sockets) - others
    var limits = limits
    limits.connections = min(limits.connections, max(16, room / sockets))
    limits.streams = min(limits.streams, max(1, limits.connections - limits.connections / 32))
    return limits
  }

  deinit { stop() }

  /// Answers received requests and removes the socket's file. Never call it from the handler.
  package func stop() {
    thread.stop()
    for responses in deferred { responses.finish() }
    for listener in listeners { listener.close() }
    socket.withLock { $0 = nil }
  }
}

extension UnixListener? {
  fileprivate borrowing func duplicate() throws(SystemError) -> Int32? {
    switch self {
    case .some(let listener): try listener.duplicate()
    case .none: nil
    }
  }

  fileprivate var path: String {
    switch self {
    case .some(let listener): listener.path
    case .none: ""
    }
  }
}

extension PeerCredentials {
  /// The same user, or root, who could do all of it anyway.
  package static func mayControl(_ user: UInt32) -> Bool { user == ownUser || user == 0 }
}
