internal import HoldfastMediaModel
package import HoldfastPlatform

/// Serves the control requests of one broadcast on its unix socket and its TCP ports, all on one thread, until it is
/// stopped.
package final class ControlServer: Sendable {
  package let path: String
  private let listener: Locked<UnixListener?>
  private let doors: [TCPDoor]
  private let stopSignal: Wakeup
  private let lateAnswers: [LateAnswers]
  private let thread = ThreadSlot()

  /// Descriptors that the rest of the program has use for.
  private static let otherDescriptors = 512

  /// Serves from now on. `bell` is the one that the handler's streams are announced with.
  package convenience init(
    _ listener: consuming UnixListener, doors: [TCPDoor] = [], bell: ControlBell? = nil,
    limits: ControlLimits = ControlLimits(), tcpLimits: ControlLimits = .tcp, handler: any ControlHandler
  ) throws(SystemError) {
    try self.init(
      listener, doors: doors, bell: bell, limits: limits, tcpLimits: tcpLimits,
      admits: { PeerCredentials.mayControl($0.user) }, handler: handler)
  }

  init(
    _ listener: consuming UnixListener, doors: [TCPDoor] = [], bell: ControlBell? = nil,
    limits: ControlLimits, tcpLimits: ControlLimits = .tcp,
    admits: @escaping @Sendable (PeerCredentials) -> Bool, handler: any ControlHandler
  ) throws(SystemError) {
    let stop = try Wakeup()
    let ownBell = if let bell { bell } else { try ControlBell() }
    // libmicrohttpd closes the socket that it is given.
    // Whatever is asked for over the network, what comes over the socket has threads of its own.
    let lateAnswers = try LateAnswers(ownBell)
    let remoteAnswers = doors.isEmpty ? nil : try LateAnswers(ownBell)
    var daemons = [
      try HTTPDaemon(
        listeningOn: listener.duplicate(),
        service: HTTPService(
          limits: limits, rules: RequestRules(bodySize: limits.bodySize), entrance: .unix(admits: admits),
          lateAnswers: lateAnswers, handler: handler))
    ]
    daemons += try Self.daemons(
      doors, Self.affordable(tcpLimits, beside: limits, doors), remoteAnswers ?? lateAnswers, handler)
    path = listener.path
    stopSignal = stop
    self.doors = doors
    self.listener = Locked(listener)
    self.lateAnswers = [lateAnswers] + [remoteAnswers].compactMap(\.self)
    let loop = HTTPLoop(daemons: daemons, bell: ownBell)
    try thread.start(name: "control") { loop.run(until: stop) }
  }

  private static func daemons(
    _ doors: [TCPDoor], _ limits: ControlLimits, _ lateAnswers: LateAnswers, _ handler: any ControlHandler
  ) throws(SystemError) -> [HTTPDaemon] {
    var daemons: [HTTPDaemon] = []
    for door in doors {
      var rules = door.rules
      rules.bodySize = limits.bodySize
      for socket in try door.duplicates() {
        let service = HTTPService(
          limits: limits, rules: rules, entrance: .tcp(try? SocketOwners()), lateAnswers: lateAnswers,
          handler: handler)
        daemons.append(
          try HTTPDaemon(
            listeningOn: socket, identity: door.identity.map(HTTPIdentity.init), service: service)
        )
      }
    }
    return daemons
  }

  /// The same with fewer connections where the system gives this process too few descriptors.
  private static func affordable(
    _ limits: ControlLimits, beside unix: ControlLimits, _ doors: [TCPDoor]
  ) -> ControlLimits {
    guard !doors.isEmpty else { return limits }
    let sockets = doors.map(\.addresses.count).reduce(0, +)
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

  /// Answers whose request has come, and takes the socket's file away. Never call it from the handler.
  package func stop() {
    stopSignal.signal()
    thread.join()
    for answers in lateAnswers { answers.finish() }
    for door in doors { door.close() }
    listener.withLock { $0 = nil }
  }
}

extension PeerCredentials {
  /// The user itself, and root, who could do all of it anyway.
  static func mayControl(_ user: UInt32) -> Bool { user == ownUser || user == 0 }
}
