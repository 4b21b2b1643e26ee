public import Platform

/// Serves the control requests of one broadcast on its unix socket, on one thread, until it is stopped.
public final class ControlServer: Sendable {
  public let path: String
  private let listener: Locked<UnixListener?>
  private let stopSignal: StopSignal
  private let thread = ThreadSlot()

  /// Serves from now on.
  public convenience init(
    _ listener: consuming UnixListener, limits: ControlLimits = ControlLimits(), handler: any ControlHandler
  ) throws(SystemError) {
    try self.init(listener, limits: limits, admits: \.mayControl, handler: handler)
  }

  init(
    _ listener: consuming UnixListener, limits: ControlLimits,
    admits: @escaping @Sendable (PeerCredentials) -> Bool, handler: any ControlHandler
  ) throws(SystemError) {
    let stop = try StopSignal()
    // libmicrohttpd closes the socket that it is given.
    let daemon = try HTTPDaemon(
      listeningOn: listener.duplicate(), limits: limits,
      service: HTTPService(limits: limits, admits: admits, handler: handler))
    path = listener.path
    stopSignal = stop
    self.listener = Locked(listener)
    try thread.start(name: "control") { daemon.run(until: stop) }
  }

  deinit {
    stop()
  }

  /// Answers whose request has come, and takes the socket's file away. Never call it from the handler.
  public func stop() {
    stopSignal.signal()
    thread.join()
    listener.withLock { $0 = nil }
  }
}

extension PeerCredentials {
  /// The user itself, and root, who could do all of it anyway.
  var mayControl: Bool { user == Self.ownUser || user == 0 }
}
