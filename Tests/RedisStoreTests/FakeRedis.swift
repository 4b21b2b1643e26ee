import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

/// A TCP server that answers whatever it receives as a test wants it to.
final class FakeRedis: Sendable {
  let port: UInt16
  private let thread: StoppableThread

  init(answer: @escaping @Sendable (String) -> String) throws {
    let listener = Locked(try Listener(host: "127.0.0.1", port: 0))
    port = listener.withLock { $0.port }
    thread = try StoppableThread(name: "fake-redis") { stop in
      while !stop.wait(until: .now + .milliseconds(5)) {
        guard let connection = try? listener.withLock({ try $0.accept() }) else { continue }
        try? Self.serve(connection, stop, answer)
      }
    }
  }

  deinit { thread.stop() }

  /// Answers until the client leaves.
  private static func serve(
    _ connection: consuming Connection, _ stop: Wakeup, _ answer: (String) -> String
  ) throws {
    while !stop.isSignalled {
      try connection.wait(until: generousDeadline, also: [stop.descriptor])
      var input: [UInt8] = []
      switch try connection.read(into: &input) {
      case .ended: return
      case .nothingYet: continue
      case .bytes: break
      }
      let reply = Array(answer(String(decoding: input, as: UTF8.self)).utf8)
      _ = try connection.write(reply.span)
    }
  }

  /// A server that says so of itself, and accepts everything else.
  static func saying(_ text: String) throws -> FakeRedis {
    try FakeRedis { request in request.contains("SETNAME") ? information(text) : "+OK\r\n" }
  }

  /// The answers to the commands with which a store begins.
  static func information(_ text: String) -> String { "+OK\r\n$\(text.utf8.count)\r\n\(text)\r\n+OK\r\n" }
}

/// Passes bytes between stores and a server, and cuts the connection in the middle of a reply when told to.
final class CuttingRelay: Sendable {
  let port: UInt16
  private let bytesToCut = Locked<Int?>(nil)
  private let thread: StoppableThread

  init(to server: UInt16) throws {
    let listener = Locked(try Listener(host: "127.0.0.1", port: 0))
    port = listener.withLock { $0.port }
    let bytesToCut = bytesToCut
    thread = try StoppableThread(name: "cutting-relay") { stop in
      while !stop.wait(until: .now + .milliseconds(5)) {
        guard let client = try? listener.withLock({ try $0.accept() }),
          let target = try? Connection(
            host: "127.0.0.1", port: server, tls: nil, until: generousDeadline, stop: stop)
        else { continue }
        try? Self.relay(client, target, stop, bytesToCut)
      }
    }
  }

  deinit { thread.stop() }

  /// The next reply ends after so many bytes, and the connection with it.
  func cutNextReply(after bytes: Int) { bytesToCut.withLock { $0 = bytes } }

  private static func relay(
    _ client: consuming Connection, _ server: consuming Connection, _ stop: Wakeup, _ bytesToCut: Locked<Int?>
  ) throws {
    while !stop.isSignalled {
      _ = try stop.poll([client.descriptor, server.descriptor], until: generousDeadline)
      var bytes: [UInt8] = []
      if try client.read(into: &bytes) == .ended { return }
      try write(bytes, to: &server)
      bytes = []
      if try server.read(into: &bytes) == .ended { return }
      let cut = bytes.isEmpty ? nil : bytesToCut.withLock { $0.take() }
      try write(cut.map { Array(bytes.prefix($0)) } ?? bytes, to: &client)
      if cut != nil { return client.endSending() }
    }
  }

  private static func write(_ bytes: [UInt8], to connection: inout Connection) throws {
    var sent = 0
    while sent < bytes.count {
      let count = try connection.write(bytes.span.extracting(sent...))
      if count == 0 { try connection.wait(toWrite: true, until: generousDeadline) }
      sent += count
    }
  }
}
