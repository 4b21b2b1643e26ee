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

  /// The connections of one network.
  private struct Share {
    var all = 0
    /// Those without a request.
    var idle = 0
  }

  private var all: [ID: Connection] = [:]
  private var networks: [SocketNetwork: Share] = [:]
  private(set) var streams = 0
  private let limits: HTTPLimits
  private var earliest: MonotonicTime?
  /// Of retired daemons, which count too: descriptors are there for the limit once.
  var retired = 0

  /// Minimum interval of checks, as there may be thousands of connections.
  private static var interval: MediaTime { .milliseconds(50) }

  init(_ limits: HTTPLimits) { self.limits = limits }

  subscript(id: ID) -> Connection? { all[id] }

  mutating func add(_ id: ID, _ connection: Connection) {
    all[id] = connection
    count(connection, as: 1)
    // A full server shortens the timeout of all connections.
    expect(isFull ? .now : connection.since + timeout)
  }

  mutating func remove(_ id: ID) {
    guard let connection = all.removeValue(forKey: id) else { return }
    count(connection, as: -1)
  }

  private mutating func count(_ connection: Connection, as number: Int) {
    if connection.work == .stream { streams += number }
    guard let network = connection.network else { return }
    var share = networks[network] ?? Share()
    share.all += number
    if connection.work == .none { share.idle += number }
    networks[network] = share.all > 0 ? share : nil
  }

  mutating func set(_ work: Connection.Work, of id: ID, at now: MonotonicTime) {
    guard var connection = all[id] else { return }
    count(connection, as: -1)
    connection.work = work
    count(connection, as: 1)
    // A response's end and a complete request head both restart the timeout.
    if work == .none || work == .answer {
      connection.since = now
      expect(now + timeout)
    }
    all[id] = connection
  }

  var count: Int { all.count }
  var isFull: Bool { all.count + retired >= limits.connections }
  var hasRoomForStream: Bool { streams < limits.streams }
  /// Whether a received request is not answered yet.
  var areBusy: Bool { all.values.contains { $0.work != .none } }

  private var timeout: MediaTime { isFull ? limits.timeoutWhenFull : limits.timeout }

  var nextDeadline: MonotonicTime? { all.isEmpty ? nil : earliest }

  private mutating func expect(_ deadline: MonotonicTime) { earliest = min(earliest ?? deadline, deadline) }

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

  /// Shuts down the connections without a request.
  func endIdle() {
    for connection in all.values where connection.work == .none { Self.end(connection.descriptor) }
  }

  /// Whether there is room for a connection from `network`, after closing an idle one if necessary. In a full
  /// server the networks with the most idle connections make room for the others.
  mutating func makeRoom(for network: SocketNetwork, at now: MonotonicTime) -> Bool {
    let own = networks[network] ?? Share()
    guard own.all < limits.connectionsPerAddress else {
      return displaceOldestIdle(of: network, before: now - limits.timeoutWhenFull)
    }
    guard isFull else { return true }
    guard let most = networks.max(by: { $0.value.idle < $1.value.idle }), most.value.idle > own.idle + 1
    else {
      return false
    }
    return displaceOldestIdle(of: most.key, before: now)
  }

  private mutating func displaceOldestIdle(of network: SocketNetwork, before latest: MonotonicTime) -> Bool {
    let idle = all.filter {
      $0.value.network == network && $0.value.work == .none && $0.value.since <= latest
    }
    guard let oldest = idle.min(by: { $0.value.since < $1.value.since }) else { return false }
    Self.end(oldest.value.descriptor)
    // Keeps the connection from being chosen twice.
    set(.answer, of: oldest.key, at: oldest.value.since)
    return true
  }

  static func end(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
