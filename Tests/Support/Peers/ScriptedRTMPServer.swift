package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastRTMP

/// An RTMP server that accepts every publish, notes all messages, and ends connections as told.
package final class ScriptedRTMPServer: Sendable {
  package enum End: Hashable, Sendable {
    case never
    case closed(after: MediaTime)
    case reset(after: MediaTime)
  }

  private struct Log: Sendable {
    var connections = 0
    var messages: [RTMPMessage] = []
  }

  package let port: UInt16
  private let log: Locked<Log>
  private let thread: StoppableThread

  /// `end` counts from the acceptance of a publish. `name` is what it calls itself, as SRS does.
  package init(_ end: End = .never, name: String? = nil) throws {
    let listener = Locked(try Listener(host: "127.0.0.1", port: 0))
    let log = Locked(Log())
    port = listener.withLock { $0.port }
    self.log = log
    thread = try StoppableThread(name: "rtmp-script") { stop in
      while !stop.wait(until: .now + .milliseconds(5)) {
        guard let connection = try? listener.withLock({ try $0.accept() }) else { continue }
        log.withLock { $0.connections += 1 }
        try? Self.serve(connection, end, name, log, until: stop)
      }
    }
  }

  deinit { thread.stop() }

  package var url: String { "rtmp://127.0.0.1:\(port)/live/key" }
  package var connections: Int { log.withLock { $0.connections } }
  package var messages: [RTMPMessage] { log.withLock { $0.messages } }

  /// The client's part of the handshake.
  private static let handshakeSize = 1 + 1536 + 1536

  private static func serve(
    _ connection: consuming Connection, _ end: End, _ name: String?, _ log: Locked<Log>, until stop: Wakeup
  ) throws {
    let digests = MessageDigests(
      md5: { HoldfastPlatform.md5($0) }, hmacSHA256: { HoldfastPlatform.hmacSHA256(key: $0, message: $1) })
    var settings = RTMPServer.Settings(digests: digests, random: randomBytes(1536))
    if let name { settings.information = [.init("data", .map([.init("srs_server", .string(name))]))] }
    var server = RTMPServer(settings)
    var reader = ChunkReader()
    var handshake = handshakeSize
    var input: [UInt8] = []
    var accepted: MonotonicTime?
    while !stop.isSignalled {
      switch (end, accepted) {
      case (.closed(let after), .some(let accepted)) where .now - accepted >= after: return
      case (.reset(let after), .some(let accepted)) where .now - accepted >= after:
        return connection.abort()
      default: break
      }
      try connection.wait(until: .now + .milliseconds(5), also: [stop.descriptor])
      input.removeAll()
      switch try connection.read(into: &input) {
      case .ended: return
      case .nothingYet: continue
      case .bytes: break
      }
      try server.receive(input.span)
      let skipped = min(handshake, input.count)
      handshake -= skipped
      let messages = try reader.receive(input.span.extracting(skipped..<input.count))
      log.withLock { $0.messages += messages }
      while let event = try server.next() {
        if case .publishRequested = event { accepted = .now }
        server.accept()
      }
      try server.outgoing.withUnsent { (bytes) throws(ConnectionError) in _ = try connection.write(bytes) }
      server.outgoing.removeFirst(server.outgoing.count)
    }
  }
}
