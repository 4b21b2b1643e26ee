import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

extension TLSSession {
  /// Performs the handshake over a connected socket; fails at `deadline`, or when `stop` is signalled.
  static func open(
    _ context: TLSContext, host: String, over socket: borrowing TCPSocket, name: String,
    until deadline: MonotonicTime, stop: Wakeup
  ) throws(ConnectionError) -> TLSSession {
    var session = try TLSSession(context, host: host, name: name)
    do throws(ConnectionError) {
      try session.handshake(over: socket, until: deadline, stop: stop)
    } catch {
      if error.kind == .certificate { context.forget() }
      throw error
    }
    return session
  }

  private mutating func handshake(
    over socket: borrowing TCPSocket, until deadline: MonotonicTime, stop: Wakeup
  ) throws(ConnectionError) {
    while try !advance(over: socket) {
      let events = pendingBytes == 0 ? POLLIN : POLLIN | POLLOUT
      var entries = [pollfd(stop.descriptor), pollfd(socket.raw, for: events)]
      let ready = try forPeer(name, poll(&entries, until: deadline))
      if entries[0].revents != 0 { throw .stopped(name) }
      if ready == 0 {
        throw ConnectionError(
          .timedOut, "\(name): no answer to the TLS handshake in time",
          hint: "check that the server speaks TLS on this port")
      }
      try receive(from: socket)
    }
  }

  /// Advances the handshake with what has arrived; true once it is finished.
  private mutating func advance(over socket: borrowing TCPSocket) throws(ConnectionError) -> Bool {
    let isFinished: Bool
    do throws(ConnectionError) {
      isFinished = try handshake()
    } catch {
      // Sends the alert, which states the reason.
      _ = try? flush(to: socket)
      throw error
    }
    try flush(to: socket)
    return isFinished
  }

  /// Appends at most `limit` bytes of plaintext, after the handshake, which it continues.
  mutating func read(
    from socket: borrowing TCPSocket, into buffer: inout [UInt8], limit: Int
  ) throws(ConnectionError) -> Connection.ReadResult {
    try flush(to: socket)
    while !isEstablished {
      if try advance(over: socket) { break }
      guard try receive(from: socket) else { return .nothingYet }
    }
    while true {
      let result = try read(into: &buffer, limit: limit)
      guard result == .nothingYet, try receive(from: socket) else { return result }
    }
  }

  /// Encrypts and sends `bytes`; returns the number consumed: 0 before the handshake's end. One record may remain
  /// buffered, which goes with the next call, even one without bytes.
  mutating func write(
    _ bytes: borrowing Span<UInt8>, to socket: borrowing TCPSocket
  ) throws(ConnectionError) -> Int {
    var taken = 0
    guard isEstablished else {
      try flush(to: socket)
      return 0
    }
    while try flush(to: socket), taken < bytes.count { taken += try write(bytes.extracting(taken...)) }
    return taken
  }

  /// Sends pending bytes; true when none are left.
  @discardableResult
  mutating func flush(to socket: borrowing TCPSocket) throws(ConnectionError) -> Bool {
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

  /// Reads ciphertext from the socket; false when it would block.
  @discardableResult
  private mutating func receive(from socket: borrowing TCPSocket) throws(ConnectionError) -> Bool {
    var bytes: [UInt8] = []
    switch socket.receive(into: &bytes, limit: 2 * Self.recordSize) {
    case .bytes(0): endInput()
    case .bytes: try receive(bytes.span)
    case .wouldBlock: return false
    case .failed(let code): throw ConnectionError(connectedTo: name, code: code)
    }
    return true
  }
}
