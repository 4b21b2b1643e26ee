import HoldfastMediaModel
import HoldfastPlatform

/// A connection that says bytes, whatever they mean.
final class RawClient {
  private var connection: Connection

  init(port: UInt16) throws {
    connection = try Connection(
      host: "127.0.0.1", port: port, tls: nil, until: .now + .seconds(10), stop: Wakeup())
  }

  /// What the other side no longer takes is dropped.
  func send(_ bytes: [UInt8]) { _ = try? connection.write(bytes.span) }

  /// Whether the server has ended it.
  func isEnded(within limit: MediaTime) -> Bool {
    let deadline = MonotonicTime.now + limit
    var bytes: [UInt8] = []
    while .now < deadline {
      do {
        try connection.wait(until: deadline)
        if case .ended = try connection.read(into: &bytes) { return true }
      } catch {
        return true
      }
    }
    return false
  }
}
