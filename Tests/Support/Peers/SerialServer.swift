import HoldfastMediaModel
package import HoldfastPlatform

/// A server on a free port of the loopback that has one connection at a time.
package final class SerialServer: Sendable {
  package let port: UInt16
  private let accepted = Locked(0)
  private let thread: StoppableThread

  /// `serve` ends a connection by its return or by an error.
  package init(
    name: String, serve: @escaping @Sendable (consuming Connection, Wakeup) throws -> Void
  ) throws {
    let listener = Locked(try Listener(host: "127.0.0.1", port: 0))
    port = listener.withLock { $0.port }
    thread = try StoppableThread(name: name) { [accepted] stop in
      while !stop.wait(until: .now + .milliseconds(5)) {
        guard let connection = try? listener.withLock({ try $0.accept() }) else { continue }
        accepted.withLock { $0 += 1 }
        try? serve(connection, stop)
      }
    }
  }

  deinit { stop() }

  package func stop() { thread.stop() }

  var connections: Int { accepted.withLock { $0 } }
}

extension OutgoingBytes {
  /// Writes and removes what the connection takes at once; returns how much that was.
  @discardableResult
  mutating func write(to connection: inout Connection) throws -> Int {
    let written = try withUnsent { (bytes) throws(ConnectionError) in try connection.write(bytes) }
    removeFirst(written)
    return written
  }
}
