import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

/// Connects to a host's first address that answers (Happy Eyeballs, RFC 8305).
///
/// Repeats unanswered attempts, as the kernel's SYN retransmission (after 1, 3 and 7 s) is too slow for a
/// network that has just recovered.
struct ConnectRace: ~Copyable {
  static let headStart = MediaTime.milliseconds(250)
  static let repetition = MediaTime.milliseconds(600)
  private static let maxAttempts = 16

  private struct Attempt {
    let address: SocketAddress
    let socket: Int32
  }

  private let name: String
  private let addresses: [SocketAddress]
  private var waiting: ArraySlice<SocketAddress>
  private var running: [Attempt] = []
  private var failures: [Int32] = []

  init(to addresses: [SocketAddress], name: String) {
    self.name = name
    self.addresses = addresses
    waiting = addresses[...]
  }

  deinit {
    for attempt in running { close(attempt.socket) }
  }

  mutating func run(until deadline: MonotonicTime, stop: Wakeup) throws(ConnectionError) -> TCPSocket {
    var nextStart = MonotonicTime.now
    var nextRepetition = nextStart + Self.repetition
    while true {
      if waiting.isEmpty, .now >= nextRepetition, running.count < Self.maxAttempts {
        nextRepetition = .now + Self.repetition
        let silent = running.map(\.address)
        waiting = addresses.filter { silent.contains($0) }[...]
        nextStart = .now
      }
      while let address = waiting.first, running.isEmpty || .now >= nextStart {
        waiting.removeFirst()
        nextStart = .now + Self.headStart
        try start(address)
      }
      if running.isEmpty { throw failure }
      var entries = [pollfd(stop.descriptor)] + running.map { pollfd($0.socket, for: POLLOUT) }
      let next = min(deadline, waiting.isEmpty ? nextRepetition : nextStart)
      _ = try forPeer(name, poll(&entries, until: next))
      if entries[0].revents != 0 { throw .stopped(name) }
      for (index, entry) in entries.dropFirst().enumerated().reversed() where entry.revents != 0 {
        let attempt = running.remove(at: index)
        if let socket = finish(attempt) { return socket }
        nextStart = .now
      }
      if .now >= deadline, !running.isEmpty { throw timeOut }
    }
  }

  private mutating func start(_ address: SocketAddress) throws(ConnectionError) {
    let socket = socket(address.family, cp_SOCK_STREAM, cp_IPPROTO_TCP)
    guard socket >= 0 else {
      let error = SystemError.last("socket")
      guard error.code == EAFNOSUPPORT else { throw ConnectionError(error, for: name) }
      failures.append(ENETUNREACH)
      return
    }
    TCPSocket.prepare(socket)
    let result = address.withPointer { connect(socket, $0, $1) }
    let code = cp_errno()
    // An interrupted connect continues in the background.
    if result == 0 || code == EINPROGRESS || code == EINTR {
      running.append(Attempt(address: address, socket: socket))
    } else {
      failures.append(code)
      close(socket)
    }
  }

  private mutating func finish(_ attempt: Attempt) -> TCPSocket? {
    var code = TCPSocket.pendingError(attempt.socket)
    // On loopback, a socket may connect to itself if no one listens on an ephemeral port.
    if code == 0, SocketAddress(of: attempt.socket) == SocketAddress(ofPeerAt: attempt.socket) {
      code = ECONNREFUSED
    }
    if code == 0 { return TCPSocket(owning: attempt.socket) }
    failures.append(code)
    close(attempt.socket)
    return nil
  }

  /// The most informative failure: connection refused rather than no route.
  private var failure: ConnectionError {
    let informative = [ECONNREFUSED, ECONNRESET, ETIMEDOUT, EPERM, EACCES]
    let code = informative.first { failures.contains($0) } ?? failures.first ?? ENETUNREACH
    return ConnectionError(connecting: name, code: code)
  }

  private var timeOut: ConnectionError {
    let tried = Set(running.map(\.address.description)).subtracting([name]).sorted()
    let detail = tried.isEmpty ? "" : " (tried \(tried.joined(separator: ", ")))"
    return ConnectionError(
      .timedOut, "\(name): no answer in time\(detail)",
      hint: "check the address, and any firewalls on the path")
  }
}
