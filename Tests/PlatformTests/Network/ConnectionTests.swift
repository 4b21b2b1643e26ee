import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@Suite(.realTime) struct ConnectionTests {
  @Test(arguments: [1, 1000, 5_000_000])
  func `bytes written at one end are read at the other`(count: Int) throws {
    let sent = pattern(count)
    var pair = try LoopbackPair()
    var received: [UInt8] = []
    var rest = sent[...]
    let deadline = generousDeadline
    while received.count < count, .now < deadline {
      rest = rest.dropFirst(try pair.client.write(rest.span))
      try pair.server.wait(until: deadline)
      _ = try pair.server.read(into: &received)
    }
    #expect(received == sent)
  }

  @Test func `a read without data is not the end, and a read is limited`() throws {
    var pair = try LoopbackPair()
    var nothing: [UInt8] = []
    let early = try pair.server.read(into: &nothing)
    #expect(early == .nothingYet)
    try pair.client.write(all: [1, 2, 3, 4])
    try pair.server.wait(until: generousDeadline)
    var bytes: [UInt8] = [9]
    let result = try pair.server.read(into: &bytes, limit: 3)
    #expect((result, bytes) == (.bytes(3), [9, 1, 2, 3]))
  }

  @Test func `a connection that has ended sending can still be read`() throws {
    var pair = try LoopbackPair()
    try pair.client.write(all: [1, 2, 3])
    pair.client.endSending()
    let bytes = try pair.server.read(atLeast: 10)
    try pair.server.write(all: [9])
    pair.server.endSending()
    let answer = try pair.client.read(atLeast: 10)
    #expect(bytes == [1, 2, 3] && answer == [9])
  }

  @Test func `a reset is distinguished from an end, and a write after it fails`() throws {
    var pair = try LoopbackPair()
    pair.server.abort()
    let error = #expect(throws: ConnectionError.self) { try pair.client.read(atLeast: 1) }
    #expect(error?.what.hasSuffix("the other end reset the connection (connection reset by peer)") == true)
    let written = #expect(throws: ConnectionError.self) { _ = try pair.client.fill() }
    #expect([error, written].map { $0?.kind } == [.closed, .closed])
  }

  @Test func `a peer that does not read blocks writes until it reads`() throws {
    var pair = try LoopbackPair()
    let taken = try pair.client.fill()
    let wait = try pair.client.wait(toWrite: true, until: .now)
    #expect(taken > 0 && wait == [])
    let (unsent, notSent) = (pair.client.unsentBytes, pair.client.notSentBytes)
    #expect(unsent > 0 && notSent <= unsent)
    _ = try pair.server.read(atLeast: taken)
    let isReady = try pair.client.wait(toWrite: true, until: generousDeadline).contains(.toWrite)
    let more = try pair.client.fill()
    #expect(isReady && more > 0)
  }

  @Test func `a connection with limited unsent bytes takes less`() throws {
    var usual = try LoopbackPair()
    var small = try LoopbackPair()
    small.client.limitUnsentBytes(to: 16384)
    _ = try usual.client.fill()
    _ = try small.client.fill()
    let (few, many) = (small.client.notSentBytes, usual.client.notSentBytes)
    #expect(few < many && few <= 16384 + 65536)
  }

  @Test func `a connection's wait ends at its deadline, or when another descriptor is readable`() throws {
    let pair = try LoopbackPair()
    let wakeup = try Wakeup()
    let early = try pair.client.wait(until: .now + .milliseconds(10), also: [wakeup.descriptor])
    wakeup.signal()
    let wait = try pair.client.wait(until: generousDeadline, also: [wakeup.descriptor])
    #expect((early, wait) == ([], .others))
  }

  @Test func `a connection knows both its addresses`() throws {
    let pair = try LoopbackPair()
    let (peer, local, host) = (pair.client.peer, pair.client.local, pair.client.peerHost)
    #expect([peer, local] == [pair.server.local, pair.server.peer])
    #expect(host == "127.0.0.1")
  }

  @Test func `a connection knows its round-trip time`() throws {
    var pair = try LoopbackPair()
    try pair.client.write(all: [1])
    _ = try pair.server.read(atLeast: 1)
    let roundTrip = pair.client.roundTrip ?? .zero
    #expect(roundTrip > .zero && roundTrip < .seconds(5))
  }
}
