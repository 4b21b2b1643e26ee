import Foundation
import TestSupport
import Testing

@testable import HoldfastPlatform

/// Both ends of a TLS connection in memory.
private struct SessionPair: ~Copyable {
  var client: TLSSession
  var server: TLSSession

  /// Carries what waits at both ends across in pieces of `size`.
  mutating func carry(pieces size: Int = 100_000) throws {
    for piece in pieces(of: client.takePending(), size: size) {
      try server.receive(piece.span)
      if !server.isEstablished { _ = try server.handshake() }
    }
    for piece in pieces(of: server.takePending(), size: size) {
      try client.receive(piece.span)
      if !client.isEstablished { _ = try client.handshake() }
    }
  }

  mutating func shakeHands(pieces size: Int = 100_000) throws {
    for _ in 0..<10 where !client.isEstablished || !server.isEstablished {
      if !client.isEstablished { _ = try client.handshake() }
      try carry(pieces: size)
    }
    let areEstablished = client.isEstablished && server.isEstablished
    try #require(areEstablished)
  }
}

private func pieces(of bytes: [UInt8], size: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}

extension TLSSession {
  /// All bytes for the network.
  fileprivate mutating func takePending() -> [UInt8] {
    var bytes: [UInt8] = []
    withPending { span in
      bytes = (0..<span.count).map { span[$0] }
      return span.count
    }
    return bytes
  }

  /// Writes all of `bytes`.
  fileprivate mutating func write(all bytes: [UInt8]) throws {
    var taken = 0
    while taken < bytes.count {
      let rest = bytes[taken...]
      taken += try write(rest.span)
    }
  }

  /// Appends what has been received so far; the last result.
  @discardableResult
  fileprivate mutating func drain(into plain: inout [UInt8]) throws -> Connection.ReadResult {
    while true {
      let result = try read(into: &plain, limit: 5000)
      guard case .bytes = result else { return result }
    }
  }
}

@Suite struct TLSSessionTests {
  private let folder = ScratchFolder()

  private func context(_ kind: TestCertificate.Kind = .valid) throws -> TLSContext {
    let pair = try TestCertificate(in: folder, kind)
    return try TLSContext(TLSIdentity(certificateFile: pair.certificate, keyFile: pair.key))
  }

  private func server(_ kind: TestCertificate.Kind = .valid) throws -> TLSSession {
    try TLSSession(serving: context(kind), name: "client")
  }

  private func client(of host: String = "localhost", isTrusting: Bool = true) throws -> TLSSession {
    let settings = TLSSettings(caFile: isTrusting ? try TestCertificate(in: folder).authority : nil)
    return try TLSSession(TLSContext(settings, name: "server"), host: host, name: "server")
  }

  /// Both ends, which have shaken hands.
  private func pair(
    _ kind: TestCertificate.Kind = .valid, host: String = "localhost", pieces size: Int = 100_000
  ) throws -> SessionPair {
    var pair = SessionPair(client: try client(of: host), server: try server(kind))
    try pair.shakeHands(pieces: size)
    return pair
  }

  /// The first flight of a client.
  private func hello() throws -> [UInt8] {
    var client = try client()
    _ = try client.handshake()
    return client.takePending()
  }

  @Test(arguments: [1, 7, 100, 100_000])
  func `both roles carry bytes both ways, in pieces of any size`(size: Int) throws {
    var pair = try pair(pieces: size)
    let there = pattern(40_000)
    let back = Array(there.reversed())
    try pair.client.write(all: there)
    try pair.server.write(all: back)
    var (arrived, returned): ([UInt8], [UInt8]) = ([], [])
    for piece in pieces(of: pair.client.takePending(), size: size) {
      try pair.server.receive(piece.span)
      try pair.server.drain(into: &arrived)
    }
    for piece in pieces(of: pair.server.takePending(), size: size) {
      try pair.client.receive(piece.span)
      try pair.client.drain(into: &returned)
    }
    #expect(arrived == there && returned == back)
  }

  @Test func `a write takes at most one record`() throws {
    var pair = try pair()
    let bytes = [UInt8](repeating: 1, count: 100_000)
    let taken = try pair.client.write(bytes.span)
    let pending = pair.client.pendingBytes
    #expect(taken == 16384)
    #expect(pending > 16384 && pending < 17000, "\(pending)")
  }

  // MARK: Handshakes

  @Test func `a chain of certificates is presented whole`() throws {
    let version = try pair(.chained).server.version
    #expect(version == "TLSv1.3")
  }

  @Test(arguments: ["localhost", "localhost.", "LOCALHOST", "127.0.0.1", "[127.0.0.1]"])
  func `a host is verified in every spelling`(host: String) throws {
    _ = try pair(host: host)
  }

  @Test func `a failed session does not affect the thread's next session`() throws {
    #expect(throws: ConnectionError.self) { _ = try pair(host: "elsewhere.example") }
    let version = try pair().client.version
    #expect(version == "TLSv1.3")
  }

  @Test func `nothing is sent before the client has said hello`() throws {
    var server = try server()
    let isFinished = try server.handshake()
    let pending = server.pendingBytes
    #expect(!isFinished && pending == 0)
  }

  @Test func `a handshake stays unfinished while the server is silent`() throws {
    var client = try client()
    let isFinished = try client.handshake()
    let hello = client.takePending()
    #expect(!isFinished && hello.count > 100)
  }

  @Test func `no hello that breaks off is answered or refused`() throws {
    let hello = try hello()
    let context = try context()
    for count in 0..<hello.count {
      var server = try TLSSession(serving: context, name: "client")
      let part = hello[..<count]
      try server.receive(part.span)
      let isFinished = try server.handshake()
      let pending = server.pendingBytes
      try #require(!isFinished && pending == 0, "\(count)")
    }
  }

  @Test func `a hello with a bit flipped anywhere finishes no handshake`() throws {
    let hello = try hello()
    let context = try context()
    for index in hello.indices {
      var flipped = hello
      flipped[index] ^= 1 << UInt8(index % 8)
      var server = try TLSSession(serving: context, name: "client")
      try server.receive(flipped.span)
      let isFinished = (try? server.handshake()) ?? false
      try #require(!isFinished, "byte \(index)")
    }
  }

  @Test(arguments: [
    Array("GET / HTTP/1.1\r\n\r\n".utf8), [3] + [UInt8](repeating: 0, count: 1536),
    [UInt8](repeating: 0xFF, count: 100),
  ])
  func `a client without TLS is reported as such`(bytes: [UInt8]) throws {
    var server = try server()
    try server.receive(bytes.span)
    let error = #expect(throws: ConnectionError.self) { _ = try server.handshake() }
    #expect(error?.kind == .tls)
    #expect(error?.what.hasPrefix("client: the client does not speak TLS on this port") == true)
  }

  @Test(arguments: [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [3] + [UInt8](repeating: 0, count: 1536)])
  func `a server without TLS is reported as such`(answer: [UInt8]) throws {
    var client = try client()
    _ = try client.handshake()
    try client.receive(answer.span)
    let error = #expect(throws: ConnectionError.self) { _ = try client.handshake() }
    #expect(error?.kind == .tls)
    #expect(error?.what.hasPrefix("server: the server does not speak TLS on this port") == true)
  }

  @Test func `a client that hangs up during the handshake is reported as closed`() throws {
    let hello = try hello()
    var server = try server()
    try server.receive(hello.span)
    _ = try server.handshake()
    server.endInput()
    let error = #expect(throws: ConnectionError.self) { _ = try server.handshake() }
    #expect(error?.kind == .closed)
    #expect(error?.what == "client: the client ended the connection during the TLS handshake")
  }

  @Test func `a server that hangs up during the handshake is reported as closed`() throws {
    var client = try client()
    _ = try client.handshake()
    client.endInput()
    let error = #expect(throws: ConnectionError.self) { _ = try client.handshake() }
    #expect(error?.kind == .closed)
  }

  @Test func `a client that does not trust the certificate says so to the server`() throws {
    var pair = SessionPair(client: try client(isTrusting: false), server: try server())
    let refusal = #expect(throws: ConnectionError.self) { try pair.shakeHands() }
    #expect(refusal?.kind == .certificate)
    let alert = pair.client.takePending()
    try pair.server.receive(alert.span)
    let error = #expect(throws: ConnectionError.self) { _ = try pair.server.handshake() }
    #expect(error?.what.hasPrefix("client: the client does not trust the certificate") == true)
  }

  // MARK: Ends

  @Test func `either end is told when the other one closes the session`() throws {
    var pair = try pair()
    pair.client.close()
    pair.server.close()
    try pair.carry()
    // The connection's end after it is no cut.
    pair.client.endInput()
    var plain: [UInt8] = []
    let atServer = try pair.server.drain(into: &plain)
    let atClient = try pair.client.drain(into: &plain)
    #expect(atServer == .ended && atClient == .ended)
  }

  @Test func `a connection that ends without closing the session counts as cut`() throws {
    var pair = try pair()
    pair.client.endInput()
    var bytes: [UInt8] = []
    let error = #expect(throws: ConnectionError.self) { _ = try pair.client.read(into: &bytes, limit: 100) }
    #expect(error == .cut("server"))
  }

  @Test func `a record with a flipped bit is refused by either end`() throws {
    var pair = try pair()
    try pair.client.write(all: [1, 2, 3])
    try pair.server.write(all: [1, 2, 3])
    var (there, back) = (pair.client.takePending(), pair.server.takePending())
    there[there.count - 1] ^= 1
    back[back.count - 1] ^= 1
    try pair.server.receive(there.span)
    try pair.client.receive(back.span)
    var plain: [UInt8] = []
    let atServer = #expect(throws: ConnectionError.self) { try pair.server.drain(into: &plain) }
    let atClient = #expect(throws: ConnectionError.self) { try pair.client.drain(into: &plain) }
    #expect(atServer?.kind == .tls && atClient?.kind == .tls && plain.isEmpty)
  }

  // MARK: Certificates and keys

  @Test func `a chain with a damaged certificate is refused`() throws {
    let pair = try TestCertificate(in: folder, .chained)
    let text = try String(contentsOfFile: pair.certificate, encoding: .utf8)
    let last = try #require(text.range(of: "-----BEGIN", options: .backwards)).lowerBound
    let (sound, rest) = (String(text[..<last]), String(text[last...]))
    let damaged = try folder.write(sound + rest.replacing("M", with: "!"), to: "damaged.pem")
    let identity = try TLSIdentity(certificateFile: damaged, keyFile: pair.key)
    let error = #expect(throws: ConnectionError.self) { _ = try TLSContext(identity) }
    #expect(error?.kind == .certificate)
  }

  @Test func `a printed identity shows no key`() throws {
    let pair = try TestCertificate(in: folder)
    let identity = try TLSIdentity(certificateFile: pair.certificate, keyFile: pair.key)
    #expect(identity.key.contains("PRIVATE KEY"))
    #expect(!"\([identity]) \(String(reflecting: identity))".contains("PRIVATE KEY"))
  }

  @Test func `a key that is too short is refused with a reason`() throws {
    let (certificate, key) = (folder.file("weak.pem"), folder.file("weak.key"))
    let request = "openssl req -x509 -newkey rsa:1024 -nodes -days 1 -subj /CN=weak"
    let command = request + " -keyout \"$0\" -out \"$1\" 2>&1 && chmod 600 \"$0\""
    try Tool.run(["sh", "-c", command, key, certificate])
    let identity = try TLSIdentity(certificateFile: certificate, keyFile: key)
    let error = #expect(throws: ConnectionError.self) { _ = try TLSContext(identity) }
    #expect(error?.kind == .certificate && error?.what.contains("too small") == true)
  }
}
