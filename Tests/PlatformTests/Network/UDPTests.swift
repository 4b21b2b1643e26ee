import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@Suite struct UDPTests {
  private func receive(_ socket: UDPSocket, limit: Int = 65536) throws -> [UInt8] {
    let deadline = generousDeadline
    var bytes: [UInt8] = []
    while try !socket.receive(into: &bytes, limit: limit) {
      if try Wakeup().poll([socket.descriptor], until: deadline) == .timedOut { throw TookTooLong() }
    }
    return bytes
  }

  private func send(_ bytes: [UInt8], from socket: UDPSocket) throws { _ = try socket.send(bytes.span) }

  private func pairs() throws -> (UDPPair, UDPPair) {
    let (one, other) = (try UDPPair(at: "127.0.0.1"), try UDPPair(at: "127.0.0.1"))
    try one.connect(to: "127.0.0.1", media: other.media.port, control: other.control.port)
    try other.connect(to: "127.0.0.1", media: one.media.port, control: one.control.port)
    return (one, other)
  }

  @Test func `port pairs are distinct, with media on an even port and control on the next`() throws {
    let pairs = try (0..<40).map { _ in try UDPPair(at: "127.0.0.1") }
    #expect(Set(pairs.map(\.media.port)).count == 40)
    #expect(pairs.allSatisfy { $0.media.port % 2 == 0 && $0.control.port == $0.media.port + 1 })
  }

  @Test func `each datagram arrives whole and by itself`() throws {
    let (one, other) = try pairs()
    let datagrams: [[UInt8]] = [[1, 2, 3], pattern(1400)]
    for datagram in datagrams { try send(datagram, from: one.media) }
    #expect([try receive(other.media), try receive(other.media)] == datagrams)
  }

  @Test func `media and control sockets do not mix`() throws {
    let (one, other) = try pairs()
    try send([9], from: one.control)
    #expect(try receive(other.control) == [9])
    var nothing: [UInt8] = []
    #expect(try !other.media.receive(into: &nothing))
  }

  @Test func `datagrams from a stranger are ignored`() throws {
    let (one, other) = try pairs()
    let stranger = try UDPPair(at: "127.0.0.1")
    try stranger.media.connect(to: "127.0.0.1", port: other.media.port)
    try? send([0], from: stranger.media)
    try send([1], from: one.media)
    #expect(try receive(other.media) == [1])
  }

  @Test func `a port without a listener is reported with the next datagram`() throws {
    let gone = try UDPPair(at: "127.0.0.1").media.port
    let socket = try UDPPair(at: "127.0.0.1").media
    try socket.connect(to: "127.0.0.1", port: gone)
    let deadline = generousDeadline
    let error = #expect(throws: ConnectionError.self) {
      while .now < deadline { try send([1], from: socket) }
    }
    #expect(error?.kind == .unreachable)
  }

  @Test func `datagrams are sent over IPv6`() throws {
    let (one, other) = (try UDPPair(at: "::1"), try UDPPair(at: "::1"))
    try one.media.connect(to: "::1", port: other.media.port)
    try send([5], from: one.media)
    #expect(try receive(other.media) == [5])
  }

  @Test func `a host name is refused as an address`() throws {
    let pair = try UDPPair(at: "127.0.0.1")
    #expect(throws: ConnectionError.self) { try pair.connect(to: "host.example", media: 2, control: 3) }
  }
}
