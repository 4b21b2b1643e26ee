internal import Glibc
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// The connections of a server, each with the time by which it has to have its next answer.
///
/// libmicrohttpd's own limit counts from the last byte, so who sends a byte now and then could stay for ever.
struct OpenConnections<ID: Hashable> {
  struct Connection {
    enum Work {
      /// Nothing has come, or not all of a request's head.
      case none
      case answer
      /// Limited by the work itself.
      case deferred
      /// Has a timeout of its own.
      case stream
    }

    let descriptor: Int32
    /// Nil for whom the server is not for.
    let peer: HTTPRequest.Peer?
    let network: SocketNetwork?
    /// When it came, was answered last, or the head of its request had come.
    var since: MonotonicTime
    var work = Work.none
  }

  private var all: [ID: Connection] = [:]
  private var networks: [SocketNetwork: Int] = [:]
  private(set) var streams = 0
  private let limits: ControlLimits
  /// Nobody is overdue before this.
  private var earliest: MonotonicTime?

  /// Deadlines are checked no more often than this, as there may be thousands.
  private static var interval: MediaTime { .milliseconds(50) }

  init(_ limits: ControlLimits) {
    self.limits = limits
  }

  subscript(id: ID) -> Connection? { all[id] }

  mutating func add(_ id: ID, _ connection: Connection) {
    all[id] = connection
    if let network = connection.network { networks[network, default: 0] += 1 }
    // The timeout may have become shorter for all of them.
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
    // From the head of a request on it has as long as from the last answer to the head.
    if work == .none || work == .answer {
      all[id]?.since = now
      expect(now + timeout)
    }
  }

  var count: Int { all.count }
  var isFull: Bool { all.count >= limits.connections }
  var hasRoomForStream: Bool { streams < limits.streams }
  /// Somebody's request has come, and is not answered yet.
  var areBusy: Bool { all.values.contains { $0.work != .none } }

  private var timeout: MediaTime { isFull ? limits.timeoutWhenFull : limits.timeout }

  /// When to check next; nil when there are none.
  var nextDeadline: MonotonicTime? { all.isEmpty ? nil : earliest }

  private mutating func expect(_ deadline: MonotonicTime) {
    earliest = min(earliest ?? deadline, deadline)
  }

  /// Ends those that took too long; the server finds them at their end, and removes them.
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

  /// True when there is room for one from this network, be it that somebody idle has to go.
  mutating func makeRoom(for network: SocketNetwork, at now: MonotonicTime) -> Bool {
    let isCrowded = networks[network] ?? 0 >= limits.connectionsPerAddress
    guard isCrowded || isFull else { return true }
    // Who has all the room that one address may have makes room for himself.
    let idle = all.filter {
      $0.value.work == .none && now >= $0.value.since + limits.timeoutWhenFull
        && (!isCrowded || $0.value.network == network)
    }
    guard let longest = idle.min(by: { $0.value.since < $1.value.since }) else { return false }
    Self.end(longest.value.descriptor)
    // Nobody else goes for the same place.
    all[longest.key]?.work = .answer
    return true
  }

  static func end(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
