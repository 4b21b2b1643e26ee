import Foundation
import Glibc
import HoldfastMediaModel
import TestSupport

/// Connections that send nothing; those that the server closes are opened again, at a limited rate.
final class HalfOpenFlood: @unchecked Sendable {  // the thread owns all but `hasOpened`
  static let connections = 3000
  static let addresses = (1...4).map { "127.0.5.\($0)" }
  private static let opensPerTick = 100

  private let port: UInt16
  private let hasOpened = NSCondition()
  private var isOpen = false
  private var clients: [WireClient] = []
  private var opened = 0
  private var refused = 0
  private var thread: RepeatingThread?

  init(port: UInt16) {
    self.port = port
    thread = RepeatingThread(every: 50_000) { [self] in tick() }
  }

  /// Waits until each connection has been opened once, or for 20 s.
  func waitUntilOpen() {
    let limit = Date(timeIntervalSinceNow: 20)
    hasOpened.withLock { while !isOpen, hasOpened.wait(until: limit) {} }
  }

  func finish() -> String {
    thread?.finish()
    thread = nil
    return "half-open connections: \(opened) opened, \(refused) failed, \(clients.count) there at the end"
  }

  private func tick() {
    clients.removeAll { $0.isHungUp }
    for _ in 0..<min(Self.opensPerTick, Self.connections - clients.count) {
      do {
        clients.append(try WireClient(port: port, from: Self.addresses[opened % Self.addresses.count]))
        opened += 1
      } catch {
        refused += 1
      }
    }
    if opened >= Self.connections {
      hasOpened.withLock {
        isOpen = true
        hasOpened.broadcast()
      }
    }
  }
}
