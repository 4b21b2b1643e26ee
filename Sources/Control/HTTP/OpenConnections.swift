import Glibc
import HoldfastMediaModel
import HoldfastPlatform

/// The connections of a server, each with the deadline of its next response. libmicrohttpd's own timeout
/// restarts with each byte, so a slow client could stay forever.
struct OpenConnections<ID: Hashable> {
  struct Connection {
    enum Work {
      /// No complete request head has arrived.
      case none
      case answer
      case deferred
      /// Has a timeout of its own.
      case stream
    }

    let descriptor: Int32
    /// Nil if the client is not admitted.
    let peer: HTTPRequest.Peer?
    let network: SocketNetwork?
    /// When it connected, its last response ended, or the head of its request arrived.
    var since: MonotonicTime
    var work = Work.none
  }

  private var all: [ID: Connection] = [:]
  private var networks: [SocketNetwork: Int] = [:]
  private(set) var streams = 0
  private let limits: ControlLimits
  private var earliest: MonotonicTime?

  /// Minimum interval of checks, as there may be thousands of connections.
  private static var interval: MediaTime { .milliseconds(50) }

  init(_ limits: ControlLimits) {
    self.limits = limits
  }

  subscript(id: ID) -> Connection? { all[id] }

  mutating func add(_ id: ID, _ connection: Connection) {
    all[id] = connection
    if let network = connection.network { networks[network, default: 0] += 1 }
    // A full server shortens the timeout of all connections.
    expect(isFull ? .now : connection.since + timeout)
  }

  mutating func remove(_ id: ID) {
    guard let connection = all.removeValue(forKey: id) else { return }
    if connection.work == .stream { streams -= 1 }
    guard let network = connection.network, let count = networks[network] else { return }
    networks[network] = count > 1 ? count - 1 : nil
  }

  mutating func set(_ work: Connection.Work, of id: ID, at now: MonotonicTime) {
    guard let old = all[id]?.work else { return }
    streams += (work == .stream ? 1 : 0) - (old == .stream ? 1 : 0)
    all[id]?.work = work
    // A response's end and a complete request head both restart the timeout.
    if work == .none || work == .answer {
      all[id]?.since = now
      expect(now + timeout)
    }
  }

  var count: Int { all.count }
  var isFull: Bool { all.count >= limits.connections }
  var hasRoomForStream: Bool { streams < limits.streams }
  /// Whether a received request is not answered yet.
  var areBusy: Bool { all.values.contains { $0.work != .none } }

  private var timeout: MediaTime { isFull ? limits.timeoutWhenFull : limits.timeout }

  var nextDeadline: MonotonicTime? { all.isEmpty ? nil : earliest }

  private mutating func expect(_ deadline: MonotonicTime) {
    earliest = min(earliest ?? deadline, deadline)
  }

  /// Shuts overdue connections down; the server then finds them closed and removes them.
  mutating func endOverdue(at now: MonotonicTime) {
    guard let earliest, now >= earliest else { return }
    let timeout = timeout
    var next: MonotonicTime?
    for connection in all.values where connection.work == .none || connection.work == .answer {
      let deadline = connection.since + timeout
      if now >= deadline { Self.end(connection.descriptor) }
      next = min(next ?? deadline, deadline)
    }
    self.earliest = next.map { max($0, now + Self.interval) }
  }

  /// Whether there is room for a connection from `network`, after closing an idle one if necessary.
  mutating func makeRoom(for network: SocketNetwork, at now: MonotonicTime) -> Bool {
    let isCrowded = networks[network] ?? 0 >= limits.connectionsPerAddress
    guard isCrowded || isFull else { return true }
    // A network at its limit displaces its own connections only.
    let idle = all.filter {
      $0.value.work == .none && now >= $0.value.since + limits.timeoutWhenFull
        && (!isCrowded || $0.value.network == network)
    }
    guard let longest = idle.min(by: { $0.value.since < $1.value.since }) else { return false }
    Self.end(longest.value.descriptor)
    // Keeps the connection from being chosen twice.
    all[longest.key]?.work = .answer
    return true
  }

  static func end(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
