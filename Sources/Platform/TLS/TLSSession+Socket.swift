internal import Glibc
internal import HoldfastCPlatform
internal import HoldfastMediaModel

/// A session and the socket that carries it.
extension TLSSession {
  /// A session with `host`, whom the user calls `name`, over a connected socket; gives up at `deadline`, and at once
  /// when `stop` is signalled.
  static func open(
    _ context: TLSContext, host: String, over socket: borrowing TCPSocket, name: String,
    until deadline: MonotonicTime, stop: Wakeup
  ) throws(ConnectionError) -> TLSSession {
    var session = try begin(context, host: host, name: name)
    do throws(ConnectionError) {
      try session.handshake(over: socket, name: name, until: deadline, stop: stop)
    } catch {
      if error.kind == .certificate { context.forget() }
      throw error
    }
    return session
  }

  private static func begin(
    _ context: TLSContext, host: String, name: String
  ) throws(ConnectionError) -> TLSSession {
    do throws(TLSFailure) {
      return try TLSSession(context, host: host)
    } catch {
      throw ConnectionError(error, for: name)
    }
  }

  private mutating func handshake(
    over socket: borrowing TCPSocket, name: String, until deadline: MonotonicTime, stop: Wakeup
  ) throws(ConnectionError) {
    while true {
      let isFinished: Bool
      do throws(TLSFailure) {
        isFinished = try handshake()
      } catch {
        // The server may want to know why.
        _ = try? flush(to: socket, name: name)
        throw ConnectionError(error, for: name)
      }
      let isFlushed = try flush(to: socket, name: name)
      if isFinished { return }

      let events = isFlushed ? POLLIN : POLLIN | POLLOUT
      var entries = [
        pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: socket.raw, events: Int16(events), revents: 0),
      ]
      let ready: Int
      do throws(SystemError) {
        ready = try poll(&entries, until: deadline)
      } catch {
        throw ConnectionError(error, for: name)
      }
      if entries[0].revents != 0 { throw .stopped(name) }
      if ready == 0 {
        throw ConnectionError(
          .timedOut, "\(name): no answer to the TLS handshake in time",
          hint: "check that the server speaks TLS on this port")
      }
      try receive(from: socket, name: name)
    }
  }

  /// Appends at most `limit` plain bytes of what has arrived.
  mutating func read(
    from socket: borrowing TCPSocket, into buffer: inout [UInt8], limit: Int, name: String
  ) throws(ConnectionError) -> Connection.ReadResult {
    try flush(to: socket, name: name)
    while true {
      let result: ReadResult
      do throws(TLSFailure) {
        result = try read(into: &buffer, limit: limit)
      } catch {
        throw ConnectionError(error, for: name)
      }
      switch result {
      case .bytes(let count): return .bytes(count)
      case .ended: return .ended
      case .nothingYet:
        guard try receive(from: socket, name: name) else { return .nothingYet }
      }
    }
  }

  /// How many of the bytes were taken; at most one record of them waits here for the network.
  mutating func write(
    _ bytes: borrowing Span<UInt8>, to socket: borrowing TCPSocket, name: String
  ) throws(ConnectionError) -> Int {
    var taken = 0
    while try flush(to: socket, name: name), taken < bytes.count {
      do throws(TLSFailure) {
        taken += try write(bytes.extracting(taken...))
      } catch {
        throw ConnectionError(error, for: name)
      }
    }
    return taken
  }

  /// Sends what waits; true when nothing does any more.
  @discardableResult
  mutating func flush(to socket: borrowing TCPSocket, name: String) throws(ConnectionError) -> Bool {
    while pendingBytes > 0 {
      var outcome = TCPSocket.Outcome.wouldBlock
      withPending { bytes in
        outcome = socket.send(bytes)
        return if case .bytes(let count) = outcome { count } else { 0 }
      }
      switch outcome {
      case .bytes: break
      case .wouldBlock: return false
      case .failed(let code): throw ConnectionError(connectedTo: name, code: code)
      }
    }
    return true
  }

  /// Takes what the socket has; false when it has nothing for now.
  @discardableResult
  private mutating func receive(
    from socket: borrowing TCPSocket, name: String
  ) throws(ConnectionError) -> Bool {
    var bytes: [UInt8] = []
    switch socket.receive(into: &bytes, limit: 2 * Self.recordSize) {
    case .bytes(0): endInput()
    case .bytes:
      do throws(TLSFailure) {
        try receive(bytes.span)
      } catch {
        throw ConnectionError(error, for: name)
      }
    case .wouldBlock: return false
    case .failed(let code): throw ConnectionError(connectedTo: name, code: code)
    }
    return true
  }
}
