import HoldfastMediaModel
import HoldfastPlatform

/// A hub that sends many events at once to whoever asks first.
final class FloodServer: Sendable {
  let port: UInt16
  private let thread: StoppableThread
  private let isFull = Promise<Void>()

  init(events: Int) throws {
    let listener = Locked(try Listener(host: "127.0.0.1", port: 0))
    port = listener.withLock { $0.port }
    let descriptor = listener.withLock { $0.descriptor }
    // Larger than what sockets hold, so that the reader's pause shows here.
    let padding = String(repeating: "x", count: 4096)
    let text = (1...events).map { "id: 1-\($0)\nevent: event\ndata: \"\(padding)\"\n\n" }.joined()
    let bytes = Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n\(text)".utf8)
    thread = try StoppableThread(name: "flood") { [isFull] stop in
      guard (try? stop.poll([descriptor], until: nil)) == .ready,
        var connection = try? listener.withLock({ try $0.accept() })
      else { return }
      var (rest, request) = (bytes[...], [UInt8]())
      while !rest.isEmpty, !stop.isSignalled, let count = try? connection.write(rest.span) {
        rest = rest.dropFirst(count)
        guard count == 0 else { continue }
        let ready = try? connection.wait(toWrite: true, until: .now + .seconds(1), also: [stop.descriptor])
        if ready?.contains(.toRead) == true { _ = try? connection.read(into: &request) }
        // The reader has paused.
        if ready?.isEmpty == true { isFull.fulfil(()) }
      }
      stop.wait()
    }
  }

  func waitUntilFull() -> Bool { isFull.take(until: .now + .seconds(60)) != nil }

  func stop() { thread.stop() }
}
