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

  private let received: Locked<[RTMPMessage]>
  private let server: SerialServer

  /// `end` counts from the acceptance of a publish. `name` is what it calls itself, as SRS does.
  package init(_ end: End = .never, name: String? = nil) throws {
    let received = Locked<[RTMPMessage]>([])
    self.received = received
    server = try SerialServer(name: "rtmp-script") { try Self.serve($0, end, name, received, until: $1) }
  }

  package var port: UInt16 { server.port }
  package var url: String { "rtmp://127.0.0.1:\(port)/live/key" }
  package var connections: Int { server.connections }
  package var messages: [RTMPMessage] { received.withLock { $0 } }

  /// The client's part of the handshake.
  private static let handshakeSize = 1 + 1536 + 1536

  private static func serve(
    _ connection: consuming Connection, _ end: End, _ name: String?, _ received: Locked<[RTMPMessage]>,
    until stop: Wakeup
  ) throws {
    let digests = MessageDigests(md5: md5, hmacSHA256: hmacSHA256)
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
      case (.reset(let after), .some(let accepted)) where .now - accepted >= after: return connection.abort()
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
      received.withLock { $0 += messages }
      while let event = try server.next() {
        if case .publishRequested = event { accepted = .now }
        server.accept()
      }
      try server.outgoing.withUnsent { (bytes) throws(ConnectionError) in _ = try connection.write(bytes) }
      server.outgoing.removeFirst(server.outgoing.count)
    }
  }
}
