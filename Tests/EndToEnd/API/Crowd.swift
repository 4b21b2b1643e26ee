import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Many idle connections.
final class Crowd: @unchecked Sendable {  // guarded by `condition`
  private let clients: [WireClient]
  private let condition = NSCondition()
  private var hasEnded = false
  private var gone = 0

  /// `beginning` is sent by each at once; with `drips`, further bytes follow slowly until the server
  /// disconnects.
  init(
    _ count: Int, port: UInt16, from source: String, saying beginning: String = "", drips: Bool = false
  ) throws {
    clients = try (0..<count).map { _ in try WireClient(port: port, from: source) }
    for client in clients { client.send(beginning, within: 1) }
    hasEnded = !drips
    if drips { Thread { [self] in drip() }.start() }
  }

  private func drip() {
    var left = clients
    let limit = MonotonicTime.now + .seconds(25)
    while !left.isEmpty, .now < limit {
      for client in left { client.send("x", within: 0.01) }
      left.removeAll { $0.isHungUp }
      usleep(100_000)
    }
    condition.withLock {
      gone = clients.count - left.count
      hasEnded = true
      condition.broadcast()
    }
  }

  /// The number of connections closed by the server.
  func sentAway() -> Int {
    condition.withLock {
      while !hasEnded { condition.wait() }
      return max(gone, clients.count { $0.isHungUp })
    }
  }
}
