import TestSupport
import Testing

@testable import HoldfastPlatform

/// A client and a server in memory that have shaken hands.
private struct TLSPair: ~Copyable {
  var client: TLSSession
  let server: MemoryTLSServer
}

@Suite struct TLSSessionTests {
  private let folder = ScratchFolder()

  private func session(host: String = "localhost", isVerified: Bool = true) throws -> TLSSession {
    let settings = TLSSettings(caFile: try TestCertificate(in: folder).authority, isVerified: isVerified)
    return try TLSSession(try TLSContext(settings, name: "peer"), host: host, name: "peer")
  }

  /// Carries handshake bytes both ways in pieces of `size`.
  private func pair(host: String = "localhost", pieces size: Int = 100_000) throws -> TLSPair {
    var client = try session(host: host)
    let server = try MemoryTLSServer(TestCertificate(in: folder))
    while try !client.handshake() || !server.isReady {
      for piece in pieces(of: client.takePending(), size: size) { _ = server.receive(piece) }
      for piece in pieces(of: server.takeOutgoing(), size: size) {
        try client.receive(piece.span)
        _ = try client.handshake()
      }
    }
    // The server's tickets.
    let last = server.takeOutgoing()
    try client.receive(last.span)
    return TLSPair(client: client, server: server)
  }

  private func pieces(of bytes: [UInt8], size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
  }

  @Test(arguments: [1, 100, 100_000])
  func `a session carries bytes both ways, in pieces of any size`(size: Int) throws {
    var pair = try pair(pieces: size)
    let there = pattern(40_000)
    let back = Array(there.reversed())

    var taken = 0
    while taken < there.count {
      let rest = there[taken...]
      taken += try pair.client.write(rest.span)
    }
    let arrived = pieces(of: pair.client.takePending(), size: size).flatMap { pair.server.receive($0) }
    pair.server.write(back)
    var read: [UInt8] = []
    for piece in pieces(of: pair.server.takeOutgoing(), size: size) {
      try pair.client.receive(piece.span)
      while case .bytes = try pair.client.read(into: &read, limit: 5000) {}
    }
    #expect(arrived == there)
    #expect(read == back)
  }

  @Test func `a handshake stays unfinished while the server is silent`() throws {
    var client = try session()
    let isFinished = try client.handshake()
    let hello = client.takePending()
    #expect(!isFinished && hello.count > 100)
  }

  @Test func `a write takes at most one record`() throws {
    var pair = try pair()
    let bytes = [UInt8](repeating: 1, count: 100_000)
    let taken = try pair.client.write(bytes.span)
    let pending = pair.client.pendingBytes
    #expect(taken == 16384)
    #expect(pending > 16384 && pending < 17000)
  }

  @Test func `a server that closes the session has ended`() throws {
    var pair = try pair()
    pair.server.close()
    let last = pair.server.takeOutgoing()
    try pair.client.receive(last.span)
    pair.client.endInput()
    var bytes: [UInt8] = []
    let result = try pair.client.read(into: &bytes, limit: 100)
    #expect(result == .ended)
  }

  @Test func `a connection that ends without closing the session counts as cut`() throws {
    var pair = try pair()
    pair.client.endInput()
    var bytes: [UInt8] = []
    let error = #expect(throws: ConnectionError.self) { _ = try pair.client.read(into: &bytes, limit: 100) }
    #expect(error == .cut("peer"))
  }

  @Test func `the server is told when the client closes the session`() throws {
    var pair = try pair()
    pair.client.close()
    _ = pair.server.receive(pair.client.takePending())
    #expect(pair.server.hasEnded)
  }

  @Test func `a record with a flipped bit is refused`() throws {
    var pair = try pair()
    pair.server.write([1, 2, 3])
    var wire = pair.server.takeOutgoing()
    wire[wire.count - 1] ^= 1
    try pair.client.receive(wire.span)
    var bytes: [UInt8] = []
    let error = #expect(throws: ConnectionError.self) {
      while case .bytes = try pair.client.read(into: &bytes, limit: 9) {}
    }
    #expect(error?.kind == .tls)
    #expect(bytes == [])
  }

  @Test(arguments: [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [3] + [UInt8](repeating: 0, count: 1536)])
  func `a server without TLS is reported as such`(answer: [UInt8]) throws {
    var client = try session()
    _ = try client.handshake()
    try client.receive(answer.span)
    let error = #expect(throws: ConnectionError.self) { _ = try client.handshake() }
    #expect(error?.kind == .tls)
    #expect(error?.what.hasPrefix("peer: the server does not speak TLS on this port") == true)
  }

  @Test func `a server that hangs up during the handshake is reported as closed`() throws {
    var client = try session()
    _ = try client.handshake()
    client.endInput()
    let error = #expect(throws: ConnectionError.self) { _ = try client.handshake() }
    #expect(error?.kind == .closed)
  }

  @Test func `a failed session does not affect the thread's next session`() throws {
    #expect(throws: ConnectionError.self) { _ = try pair(host: "elsewhere.example") }
    let version = try pair().client.version
    #expect(version == "TLSv1.3")
  }

  @Test(arguments: ["localhost", "localhost.", "LOCALHOST", "127.0.0.1", "[127.0.0.1]"])
  func `a host is verified in every spelling`(host: String) throws {
    _ = try pair(host: host)
  }
}

extension TLSSession {
  /// All bytes for the network.
  mutating func takePending() -> [UInt8] {
    var bytes: [UInt8] = []
    withPending { span in
      bytes = (0..<span.count).map { span[$0] }
      return span.count
    }
    return bytes
  }
}
