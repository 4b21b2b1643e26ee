import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

/// A finished step of connecting, and its duration.
package enum ConnectionStep: Hashable, Sendable {
  case resolved(addresses: Int, after: MediaTime)
  case connected(address: String, after: MediaTime)
  case secured(version: String, cipher: String, after: MediaTime)
}

/// A non-blocking TCP connection with optional TLS, owned by one thread.
package struct Connection: ~Copyable, Sendable {
  private let socket: TCPSocket
  private var tls: TLSSession?
  /// The remote and local addresses, such as `127.0.0.1:1935`.
  package let peer: String
  package let local: String
  package let peerHost: String
  package let peerNetwork: SocketNetwork
  /// The peer is on this machine.
  package let isLoopback: Bool
  private let name: String

  package enum ReadResult: Hashable, Sendable {
    case bytes(Int)
    case nothingYet
    case ended
  }

  /// Resolves, connects and performs the TLS handshake; fails at `deadline`, or when `stop` is signalled.
  package init(
    host: String, port: UInt16, tls: TLSSettings?, until deadline: MonotonicTime, stop: Wakeup,
    onStep: (ConnectionStep) -> Void = { _ in }
  ) throws(ConnectionError) {
    let name = SocketAddress.written(host: host, port: port)
    // Loaded before connecting, so that an unreadable CA file fails early.
    let context = try TLSContext.shared(tls, name: name)
    var began = MonotonicTime.now
    func lap() -> MediaTime {
      let now = MonotonicTime.now
      defer { began = now }
      return now - began
    }
    let addresses = try NameResolver.system.addresses(of: host, port: port, until: deadline, stop: stop)
    onStep(.resolved(addresses: addresses.count, after: lap()))
    var race = ConnectRace(to: addresses, name: name)
    let socket = try race.run(until: deadline, stop: stop)
    let address = SocketAddress(ofPeerAt: socket.raw)?.description ?? name
    onStep(.connected(address: address, after: lap()))
    guard let context else {
      self.init(socket, name: name)
      return
    }
    let session = try TLSSession.open(
      context, host: host, over: socket, name: name, until: deadline, stop: stop)
    onStep(.secured(version: session.version, cipher: session.cipher, after: lap()))
    self.init(socket, tls: session, name: name)
  }

  init(_ socket: consuming TCPSocket, tls: consuming TLSSession? = nil, name: String? = nil) {
    let address = SocketAddress(ofPeerAt: socket.raw)
    let peer = address?.description ?? "?"
    self.peer = peer
    self.peerHost = address?.host ?? "?"
    self.peerNetwork = address?.network ?? SocketNetwork(prefix: [])
    self.isLoopback = address?.isLoopback ?? false
    self.local = SocketAddress(of: socket.raw)?.description ?? "?"
    self.name = name ?? peer
    self.socket = socket
    self.tls = tls
  }

  /// Makes an accepted connection speak TLS as a server. Reading performs the handshake, and throws where it fails.
  package mutating func beginTLS(_ context: TLSContext) throws(ConnectionError) {
    tls = try TLSSession(serving: context, name: name)
  }

  /// Whether the TLS handshake is still to be finished.
  package var isInHandshake: Bool {
    switch tls {
    case .some(let session): !session.isEstablished
    case .none: false
    }
  }

  /// Appends at most `limit` received bytes.
  package mutating func read(
    into buffer: inout [UInt8], limit: Int = 65536
  ) throws(ConnectionError) -> ReadResult {
    if let result = try tls?.read(from: socket, into: &buffer, limit: limit) { return result }
    switch socket.receive(into: &buffer, limit: limit) {
    case .bytes(0): return .ended
    case .bytes(let count):
      TCPSocket.acknowledgeAtOnce(socket.raw)
      return .bytes(count)
    case .wouldBlock: return .nothingYet
    case .failed(let code): throw ConnectionError(connectedTo: name, code: code)
    }
  }

  /// Returns the number of bytes written; 0 when the call would block. Also sends `pendingBytes`.
  package mutating func write(_ bytes: borrowing Span<UInt8>) throws(ConnectionError) -> Int {
    if let count = try tls?.write(bytes, to: socket) { return count }
    guard !bytes.isEmpty else { return 0 }
    switch socket.send(bytes) {
    case .bytes(let count): return count
    case .wouldBlock: return 0
    case .failed(let code): throw ConnectionError(connectedTo: name, code: code)
    }
  }

  /// The result of a wait; empty after a timeout.
  package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let toRead = Readiness(rawValue: 1)
    package static let toWrite = Readiness(rawValue: 2)
    package static let others = Readiness(rawValue: 4)
  }

  /// Waits until the connection is readable (also at its end or failure), is writable (with `toWrite`), one
  /// of `others` is readable, or `deadline` has passed.
  @discardableResult
  package func wait(
    toWrite: Bool = false, until deadline: MonotonicTime, also others: [Int32] = []
  ) throws(ConnectionError) -> Readiness {
    if mayHoldMore { return .toRead }
    // Reading also flushes TLS.
    let isFlushing = pendingBytes > 0
    let events = toWrite || isFlushing ? POLLIN | POLLOUT : POLLIN
    var entries = [pollfd(socket.raw, for: events)]
    entries += others.map { pollfd($0) }
    _ = try forPeer(name, poll(&entries, until: deadline))
    var readiness: Readiness = []
    let happened = Int32(entries[0].revents)
    if happened & ~POLLOUT != 0 || isFlushing && happened != 0 { readiness.insert(.toRead) }
    if happened & ~POLLIN != 0 { readiness.insert(.toWrite) }
    if entries.dropFirst().contains(where: { $0.revents != 0 }) { readiness.insert(.others) }
    return readiness
  }

  /// Ends the sending direction, with what TLS still holds if that leaves by `deadline`; input can still be read.
  package mutating func endSending(until deadline: MonotonicTime = .now) {
    tls?.close()
    do throws(ConnectionError) {
      while pendingBytes > 0 {
        try tls?.flush(to: socket)
        if pendingBytes > 0, try wait(toWrite: true, until: deadline).isEmpty { break }
      }
    } catch {
      // The connection is lost either way.
    }
    socket.finishSending()
  }

  /// Resets the connection; unsent bytes are lost.
  package mutating func abort() { socket.reset() }

  /// The encrypted bytes that the system has not taken yet; 0 without TLS.
  package var pendingBytes: Int {
    switch tls {
    case .some(let session): session.pendingBytes
    case .none: 0
    }
  }

  /// Whether plaintext may be available although the socket is not readable.
  package var mayHoldMore: Bool {
    switch tls {
    case .some(let session): session.mayHoldMore
    case .none: false
    }
  }

  /// Bytes not acknowledged by the peer, whether sent or not.
  package var unsentBytes: Int { socket.unacknowledgedBytes + pendingBytes }

  package var notSentBytes: Int { socket.notSentBytes + pendingBytes }

  /// The kernel's round-trip estimate; nil until there is one.
  package var roundTrip: MediaTime? { socket.roundTrip }

  package var descriptor: Int32 { socket.raw }

  /// Limits the unsent bytes in the kernel, so that writes progress only with the network.
  package func limitUnsentBytes(to bytes: Int) {
    TCPSocket.setOption(socket.raw, cp_IPPROTO_TCP, TCP_NOTSENT_LOWAT, Int32(clamping: max(1, bytes)))
  }
}
