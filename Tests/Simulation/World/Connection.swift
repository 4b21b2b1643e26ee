/// A publish, as both sides see it.
final class Connection {
  unowned let endpoint: Endpoint
  let broadcast: String
  /// The server has what was captured until then.
  private(set) var position: Int64
  private var settledAt: Int64
  /// Media goes out.
  private(set) var isSending = false
  private(set) var isOpen = true
  /// The server knows nothing of it any more.
  var isForgotten = false
  var watcher: (() -> Void)?

  /// From a picture's capture to its arrival.
  private static let latency: Int64 = .ms(40)

  init(_ endpoint: Endpoint, _ broadcast: String) {
    self.endpoint = endpoint
    self.broadcast = broadcast
    position = endpoint.world.now
    settledAt = position
  }

  private var now: Int64 { endpoint.world.now }
  var isBlocked: Bool { isForgotten || endpoint.condition.isBlocked }
  var lag: Int64 { now - position }

  func send(from position: Int64) {
    self.position = position
    settledAt = now
    isSending = true
  }

  /// The server keeps the session, and gets nothing.
  func suspend() {
    settle()
    isSending = false
  }

  /// Brings what the server has up to the present.
  func settle() {
    let passed = now - settledAt
    settledAt = now
    guard isSending, isOpen, !isBlocked else { return }
    let reached = min(now - Self.latency, position + passed * endpoint.condition.capacity / 100)
    guard reached > position else { return }
    endpoint.store(position..<reached, of: broadcast)
    position = reached
  }

  /// What waits for too long is left out.
  func skip(to position: Int64) {
    self.position = position
  }

  func pathChanged() {
    watcher?()
  }

  func close(hasSaidGoodBye: Bool, isSilent: Bool = false) {
    settle()
    isOpen = false
    watcher = nil
    endpoint.leave(self, hasSaidGoodBye: hasSaidGoodBye, isSilent: isSilent)
  }
}
