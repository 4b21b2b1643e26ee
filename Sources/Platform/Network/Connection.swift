internal import Glibc
internal import HoldfastCPlatform
package import HoldfastMediaModel

/// A TCP connection, with or without TLS, that never blocks; one thread owns it.
package struct Connection: ~Copyable, Sendable {
  private let socket: TCPSocket
  private var tls: TLSSession?
  /// Whom it is connected to, and from where: `127.0.0.1:1935`.
  package let peer: String
  package let local: String
  /// The two addresses without their ports.
  package let peerHost: String
  package let localHost: String
  private let name: String

  /// What `read` found.
  package enum ReadResult: Hashable, Sendable {
    case bytes(Int)
    case nothingYet
    /// The peer has said all it had to say.
    case ended
  }

  /// Resolves, connects, and secures; gives up at `deadline`, and at once when `stop` is signalled.
  package init(
    host: String, port: UInt16, tls: TLSSettings?, until deadline: MonotonicTime, stop: Wakeup,
    onStep: (ConnectionStep) -> Void = { _ in }
  ) throws(ConnectionError) {
    let name = SocketAddress.written(host: host, port: port)
    // First, as it may fail without anybody else.
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
    let address = TCPSocket.peerAddress(socket.raw)?.description ?? name
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

  /// Takes over a socket that is connected already.
  init(_ socket: consuming TCPSocket, tls: consuming TLSSession? = nil, name: String? = nil) {
    let address = TCPSocket.peerAddress(socket.raw)
    let peer = address?.description ?? "?"
    let own = TCPSocket.localAddress(socket.raw)
    self.peer = peer
    self.peerHost = address?.host ?? "?"
    self.local = own?.description ?? "?"
    self.localHost = own?.host ?? "?"
    self.name = name ?? peer
    self.socket = socket
    self.tls = tls
  }

  /// Appends at most `limit` bytes of what has arrived.
  package mutating func read(into buffer: inout [UInt8], limit: Int = 65536) throws(ConnectionError)
    -> ReadResult
  {
    if let result = try tls?.read(from: socket, into: &buffer, limit: limit, name: name) { return result }
    switch socket.receive(into: &buffer, limit: limit) {
    case .bytes(0): return .ended
    case .bytes(let count):
      TCPSocket.acknowledgeAtOnce(socket.raw)
      return .bytes(count)
    case .wouldBlock: return .nothingYet
    case .failed(let code): throw ConnectionError(connectedTo: name, code: code)
    }
  }

  /// How many of the bytes were taken; none when the network takes no more for now.
  package mutating func write(_ bytes: borrowing Span<UInt8>) throws(ConnectionError) -> Int {
    guard !bytes.isEmpty else { return 0 }
    if let count = try tls?.write(bytes, to: socket, name: name) { return count }
    switch socket.send(bytes) {
    case .bytes(let count): return count
    case .wouldBlock: return 0
    case .failed(let code): throw ConnectionError(connectedTo: name, code: code)
    }
  }

  /// What ended a wait; empty when the time was over.
  package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let toRead = Readiness(rawValue: 1)
    package static let toWrite = Readiness(rawValue: 2)
    /// One of the other descriptors is readable.
    package static let others = Readiness(rawValue: 4)
  }

  /// Waits until there is something to read (also an end or a failure), with `toWrite` until bytes would be taken, until
  /// one of the descriptors `also` is readable, or until `deadline`.
  @discardableResult
  package func wait(
    toWrite: Bool = false, until deadline: MonotonicTime, also others: [Int32] = []
  ) throws(ConnectionError) -> Readiness {
    if mayHoldMore { return .toRead }
    // Reading sends what TLS holds.
    let isFlushing = pendingBytes > 0
    let events = toWrite || isFlushing ? POLLIN | POLLOUT : POLLIN
    var entries = [pollfd(fd: socket.raw, events: Int16(events), revents: 0)]
    entries += others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    do throws(SystemError) {
      _ = try poll(&entries, until: deadline)
    } catch {
      throw ConnectionError(error, for: name)
    }
    var readiness: Readiness = []
    let happened = Int32(entries[0].revents)
    if happened & ~POLLOUT != 0 || isFlushing && happened != 0 { readiness.insert(.toRead) }
    if happened & ~POLLIN != 0 { readiness.insert(.toWrite) }
    if entries.dropFirst().contains(where: { $0.revents != 0 }) { readiness.insert(.others) }
    return readiness
  }

  /// Sends what TLS still holds, says good-bye, and reads past whatever the peer still says until it does so, too, or
  /// until `deadline`. Closing without that may cost the last bytes: a system that is sent more after a close answers with
  /// a reset, which overtakes them.
  package mutating func finish(until deadline: MonotonicTime) {
    do throws(ConnectionError) {
      tls?.close()
      while pendingBytes > 0 {
        try tls?.flush(to: socket, name: name)
        if pendingBytes > 0, try wait(toWrite: true, until: deadline).isEmpty { return }
      }
      socket.finishSending()
      var dropped: [UInt8] = []
      while true {
        dropped.removeAll(keepingCapacity: true)
        switch try read(into: &dropped) {
        case .ended: return
        case .bytes: if .now >= deadline { return }
        case .nothingYet: if try wait(until: deadline).isEmpty { return }
        }
      }
    } catch {
      // It is over either way.
    }
  }

  /// Says good-bye: nothing more is written, but what the peer still says can be read. Never waits.
  package mutating func shutDown() {
    tls?.close()
    _ = try? tls?.flush(to: socket, name: name)
    socket.finishSending()
  }

  /// Ends the connection at once, with a reset; what was not sent is lost.
  package mutating func abort() {
    socket.reset()
  }

  /// Bytes that TLS holds because the network did not take them.
  private var pendingBytes: Int {
    switch tls {
    case .some(let session): session.pendingBytes
    case .none: 0
    }
  }

  /// There may be something to read although the network has nothing.
  private var mayHoldMore: Bool {
    switch tls {
    case .some(let session): session.mayHoldMore
    case .none: false
    }
  }

  /// Bytes that the peer's system has not acknowledged, sent or not.
  package var unsentBytes: Int { socket.unacknowledgedBytes + pendingBytes }

  /// Those of them that have not been sent even once.
  package var notSentBytes: Int { socket.notSentBytes + pendingBytes }

  /// As the system measures it; nil as long as it has not.
  package var roundTrip: MediaTime? { socket.roundTrip }

  /// For `poll`.
  package var descriptor: Int32 { socket.raw }

  /// The system takes at most about so many bytes more than it could send so far, so that a write that is taken says
  /// something of the network.
  package func setSendBuffer(_ bytes: Int) {
    TCPSocket.setOption(socket.raw, cp_IPPROTO_TCP, TCP_NOTSENT_LOWAT, Int32(clamping: max(1, bytes)))
  }
}
