import Foundation
import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// Connections that send nothing; those that the server closes are opened again, at a limited rate.
final class HalfOpenFlood: @unchecked Sendable {  // the thread owns all but `opened`
  static let connections = 3000
  static let addresses = (1...4).map { "127.0.5.\($0)" }
  private static let opensPerTick = 100

  private let port: UInt16
  private let opened = Locked(0)
  private var clients: [WireClient] = []
  private var refused = 0
  private var thread: RepeatingThread?

  init(port: UInt16) {
    self.port = port
    thread = RepeatingThread(every: 50_000) { [self] in tick() }
  }

  /// Waits until each connection has been opened once, or for 20 s.
  func waitUntilOpen() { _ = eventually(within: 20) { opened.withLock { $0 } >= Self.connections } }

  func finish() -> String {
    thread?.finish()
    return
      "half-open connections: \(opened.withLock { $0 }) opened, \(refused) failed, \(clients.count) there at the end"
  }

  private func tick() {
    clients.removeAll { $0.isHungUp }
    for _ in 0..<min(Self.opensPerTick, Self.connections - clients.count) {
      do {
        let address = Self.addresses[opened.withLock { $0 } % Self.addresses.count]
        clients.append(try WireClient(port: port, from: address))
        opened.withLock { $0 += 1 }
      } catch {
        refused += 1
      }
    }
  }
}
