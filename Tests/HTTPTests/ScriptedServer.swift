import HoldfastMediaModel
import HoldfastPlatform

@testable import HoldfastHTTP

/// A server on the loopback that answers each request of each connection by a script, whatever is asked.
final class ScriptedServer: Sendable {
  enum Answer: Sendable {
    case text(String)
    /// A byte each 20 ms.
    case drip(String)
    /// Nothing, with the connection open.
    case silence
    /// The connection's end. Without an answer, this is also what follows the last one.
    case end
  }

  let port: UInt16
  private let thread: StoppableThread
  private let seen = Locked<(connections: Int, ended: Int, requests: [String])>((0, 0, []))

  /// The answers of each connection, in the order in which they are accepted.
  init(_ script: [[Answer]]) throws {
    let listener = Locked(try Listener(host: "127.0.0.1", port: 0))
    port = listener.withLock { $0.port }
    let descriptor = listener.withLock { $0.descriptor }
    thread = try StoppableThread(name: "scripted") { [seen] stop in
      var script = script[...]
      while (try? stop.poll([descriptor], until: nil)) == .ready {
        guard let connection = try? listener.withLock({ try $0.accept() }) else { continue }
        seen.withLock { $0.connections += 1 }
        var served = Served(connection: connection, stop: stop)
        try? served.run(script.popFirst() ?? []) { request in
          seen.withLock { $0.requests.append(request) }
        }
        seen.withLock { $0.ended += 1 }
      }
    }
  }

  deinit { thread.stop() }

  var origin: HTTPOrigin {
    get throws { try HTTPOrigin("http://127.0.0.1:\(port)") }
  }

  var connections: Int { seen.withLock { $0.connections } }
  /// How many of them the server has closed.
  var ended: Int { seen.withLock { $0.ended } }
  /// The heads of all requests.
  var requests: [String] { seen.withLock { $0.requests } }
}

private struct Served: ~Copyable {
  var connection: Connection
  let stop: Wakeup
  var received: [UInt8] = []

  mutating func run(_ answers: [ScriptedServer.Answer], seen: (String) -> Void) throws {
    for answer in answers {
      guard let request = try request() else { return }
      seen(request)
      switch answer {
      case .text(let text): try send(Array(text.utf8))
      case .drip(let text):
        for byte in text.utf8 where !stop.wait(until: .now + .milliseconds(20)) { try send([byte]) }
      case .silence: _ = try? stop.poll([], until: nil)
      case .end: return
      }
    }
    // What a client sends after the last answer is not read: closing then resets the connection.
    connection.endSending()
  }

  private mutating func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(try connection.write(rest.span))
      if !rest.isEmpty { _ = try connection.wait(toWrite: true, until: .now + .seconds(30)) }
    }
  }

  /// The next head, with what comes with it; nil at the end or once stopped.
  private mutating func request() throws -> String? {
    while true {
      let text = String(decoding: received, as: UTF8.self)
      if let end = text.firstRange(of: "\r\n\r\n") {
        received = []
        return String(text[..<end.lowerBound])
      }
      switch try connection.read(into: &received) {
      case .bytes: break
      case .ended: return nil
      case .nothingYet:
        let ready = try connection.wait(until: .now + .seconds(60), also: [stop.descriptor])
        if ready.isEmpty || ready.contains(.others) { return nil }
      }
    }
  }
}
