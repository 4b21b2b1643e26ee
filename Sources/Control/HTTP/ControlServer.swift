import HoldfastMediaModel
package import HoldfastPlatform

/// Serves the control requests of one broadcast on its unix socket and TCP ports, all on one thread.
package final class ControlServer: Sendable {
  package let path: String
  private let socket: Locked<UnixListener?>
  private let listeners: [TCPListener]
  private let deferred: [DeferredResponses]
  private let thread: StoppableThread

  /// Descriptors reserved for the rest of the program.
  private static let otherDescriptors = 512

  /// Starts serving. `wakeup` is signalled when the handler's streams have something to send.
  package init(
    _ socket: consuming UnixListener, listeners: [TCPListener] = [], wakeup: Wakeup? = nil,
    limits: ControlLimits = .unix, tcpLimits: ControlLimits = .tcp,
    admits: @escaping @Sendable (PeerCredentials) -> Bool = { PeerCredentials.mayControl($0.user) },
    handler: any HTTPHandler
  ) throws(SystemError) {
    let wakeup = if let wakeup { wakeup } else { try Wakeup() }
    // The socket has threads of its own, which network requests can't block.
    let local = try DeferredResponses(wakeup)
    let remote = listeners.isEmpty ? nil : try DeferredResponses(wakeup)
    // libmicrohttpd closes the socket that it is given.
    var daemons = [
      try HTTPDaemon(
        listeningOn: socket.duplicate(),
        service: HTTPService(
          limits: limits, rules: RequestRules(bodySize: limits.bodySize), transport: .unix(admits: admits),
          deferred: local, handler: handler))
    ]
    let tcpLimits = Self.affordable(tcpLimits, beside: limits, listeners)
    for listener in listeners {
      var rules = listener.rules
      rules.bodySize = tcpLimits.bodySize
      for socket in try listener.duplicates() {
        let service = HTTPService(
          limits: tcpLimits, rules: rules, transport: .tcp(try? SocketOwners()), deferred: remote ?? local,
          handler: handler)
        daemons.append(
          try HTTPDaemon(
            listeningOn: socket, identity: listener.identity.map(HTTPIdentity.init), service: service))
      }
    }
    path = socket.path
    self.listeners = listeners
    self.socket = Locked(socket)
    deferred = [local] + [remote].compactMap(\.self)
    let loop = HTTPLoop(daemons: daemons, wakeup: wakeup)
    thread = try StoppableThread(name: "control") { stop in loop.run(until: stop) }
  }

  /// `limits`, with fewer connections if the descriptor limit is too low.
  private static func affordable(
    _ limits: ControlLimits, beside unix: ControlLimits, _ listeners: [TCPListener]
  ) -> ControlLimits {
    guard !listeners.isEmpty else { return limits }
    let sockets = listeners.map(\.addresses.count).reduce(0, +)
    let others = unix.connections + otherDescriptors
    let room = raiseDescriptorLimit(to: others + limits.connections * sockets) - others
    var limits = limits
    limits.connections = min(limits.connections, max(16, room / sockets))
    limits.streams = min(limits.streams, max(1, limits.connections - limits.connections / 32))
    return limits
  }

  deinit {
    stop()
  }

  /// Answers received requests and removes the socket's file. Never call it from the handler.
  package func stop() {
    thread.stop()
    for responses in deferred { responses.finish() }
    for listener in listeners { listener.close() }
    socket.withLock { $0 = nil }
  }
}

extension PeerCredentials {
  /// The same user, or root, who could do all of it anyway.
  package static func mayControl(_ user: UInt32) -> Bool { user == ownUser || user == 0 }
}
