import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastRTMP

@Suite struct HandshakeTests {
  private static var random: [UInt8] {
    var randomness = SplitMix64(seed: 4)
    return randomness.bytes(1536)
  }

  private struct Outcome: Equatable {
    var client: [UInt8] = []
    var server: [UInt8] = []
    var isFinished = false
    var tail = 0
  }

  /// Both sides against each other; `tail` bytes come right after the client's part.
  private static func run(_ arrival: Arrival, tail: Int = 0) throws -> Outcome {
    var client = Handshake(.client, random: random, digests: .real)
    var server = Handshake(.server, random: Array(random.reversed()), digests: .real)
    var outcome = Outcome()
    var toServer = OutgoingBytes()
    var toClient = OutgoingBytes()
    client.begin(in: &toServer)
    while !toServer.isEmpty || !toClient.isEmpty {
      let forward = toServer.takeAll()
      outcome.client += forward
      let end = outcome.client.count == 3073 ? Array(repeating: UInt8(7), count: tail) : []
      for piece in arrival.pieces(of: forward + end) {
        outcome.tail += piece.count - (server.isFinished ? 0 : try server.receive(piece.span, &toClient))
      }
      let back = toClient.takeAll()
      outcome.server += back
      for piece in arrival.pieces(of: back) { _ = try client.receive(piece.span, &toServer) }
    }
    outcome.isFinished = client.isFinished && server.isFinished
    return outcome
  }

  @Test(arguments: Arrival.allCases)
  func `both sides finish with the same bytes, in pieces of any size`(arrival: Arrival) throws {
    let outcome = try Self.run(arrival)
    #expect(try outcome.isFinished && outcome == Self.run(.whole))
  }

  @Test(arguments: Arrival.allCases)
  func `bytes after the handshake are left unread`(arrival: Arrival) throws {
    #expect(try Self.run(arrival, tail: 99).tail == 99)
  }

  @Test func `both packets are signed, and each answer signs the other side's digest`() throws {
    let outcome = try Self.run(.whole)
    let first = Handshake.findDigest(in: Array(outcome.client[1...1536]), .client, .real)?.digest
    let second = Handshake.findDigest(in: Array(outcome.server[1...1536]), .server, .real)?.digest
    let toClient = Handshake.answer(to: try #require(first), .server, random: Self.random.reversed(), .real)
    let toServer = Handshake.answer(to: try #require(second), .client, random: Self.random, .real)
    #expect((Array(outcome.server[1537...]), Array(outcome.client[1537...])) == (toClient, toServer))
  }

  @Test(arguments: Handshake.Scheme.allCases)
  func `a signature is found in each of its positions`(scheme: Handshake.Scheme) throws {
    var packet = Handshake.firstPacket(version: [9, 0, 124, 2], random: Self.random)
    Handshake.sign(&packet, scheme, .client, .real)
    #expect(Handshake.findDigest(in: packet, .client, .real)?.scheme == scheme)
  }

  @Test func `a signature with one wrong bit is not found`() throws {
    var packet = Handshake.firstPacket(version: [9, 0, 124, 2], random: Self.random)
    Handshake.sign(&packet, .first, .client, .real)
    packet[1000] ^= 1
    #expect(Handshake.findDigest(in: packet, .client, .real) == nil)
  }

  @Test(arguments: [Handshake.Side.client, .server], Arrival.allCases)
  func `a peer that does not sign gets its packet back`(side: Handshake.Side, arrival: Arrival) throws {
    var handshake = Handshake(side, random: Self.random, digests: .real)
    var output = OutgoingBytes()
    if side == .client { handshake.begin(in: &output) }
    let packet = Array(repeating: UInt8(0), count: 8) + Self.random.prefix(1528)
    for piece in arrival.pieces(of: [3] + packet + packet) { _ = try handshake.receive(piece.span, &output) }
    #expect(handshake.isFinished && output.count == 1 + 2 * 1536)
    #expect(Array(output.takeAll().suffix(1536)) == packet)
  }

  @Test(arguments: [Handshake.Side.client, .server], [0, 2, 6, 0x48, 0xFF] as [UInt8])
  func `another protocol version is refused at its first byte`(side: Handshake.Side, version: UInt8) {
    var handshake = Handshake(side, random: [], digests: .real)
    var output = OutgoingBytes()
    let bytes = [version]
    #expect(throws: RTMPError.malformed("the \(side.peer)'s handshake begins with \(version)")) {
      try handshake.receive(bytes.span, &output)
    }
  }

  @Test func `a plain handshake is made on a machine that forbids the digests`() throws {
    let none = MessageDigests(md5: { _ in [] }, hmacSHA256: { _, _ in [] })
    let conversation = try Conversation(digests: none).settled()
    #expect(conversation.events.contains(.accepted))
  }
}
