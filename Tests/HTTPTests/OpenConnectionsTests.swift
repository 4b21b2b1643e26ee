import HoldfastMediaModel
import Testing

@testable import HoldfastHTTP
@testable import HoldfastPlatform

@Suite struct OpenConnectionsTests {
  private let start = MonotonicTime(nanoseconds: 5_000_000_000)

  private func network(_ number: UInt8) -> SocketNetwork { SocketNetwork(prefix: [127, 0, 0, number]) }

  private func add(
    _ ids: some Sequence<Int>, from number: UInt8, at time: MonotonicTime,
    to connections: inout OpenConnections<Int>
  ) {
    for id in ids {
      connections.add(
        id, .init(descriptor: -1, peer: nil, network: network(number), since: time + .milliseconds(Int64(id)))
      )
    }
  }

  /// Those that were told to close.
  private func displaced(_ connections: OpenConnections<Int>, _ ids: some Sequence<Int>) -> [Int] {
    ids.filter { connections[$0]?.work == .answer }
  }

  @Test func `a full server makes room at the cost of the address with the most idle connections`() {
    var connections = OpenConnections<Int>(HTTPLimits(connections: 10))
    add(0..<3, from: 1, at: start, to: &connections)
    add(3..<10, from: 2, at: start, to: &connections)
    let hasRoom1 = connections.makeRoom(for: network(3), at: start + .milliseconds(20))
    #expect(hasRoom1)
    #expect(displaced(connections, 0..<10) == [3])
    let hasRoom2 = connections.makeRoom(for: network(1), at: start + .milliseconds(20))
    #expect(hasRoom2)
    #expect(displaced(connections, 0..<10) == [3, 4])
  }

  @Test func `the address with the most idle connections gets no more of them in a full server`() {
    var connections = OpenConnections<Int>(HTTPLimits(connections: 10))
    add(0..<3, from: 1, at: start, to: &connections)
    add(3..<10, from: 2, at: start, to: &connections)
    let hasRoom3 = connections.makeRoom(for: network(2), at: start + .seconds(5))
    #expect(!hasRoom3)
    #expect(displaced(connections, 0..<10) == [])
  }

  @Test func `connections of a retired daemon leave so much less room`() {
    var connections = OpenConnections<Int>(HTTPLimits(connections: 10))
    add(0..<3, from: 1, at: start, to: &connections)
    connections.retired = 6
    #expect(!connections.isFull)
    add(3..<4, from: 2, at: start, to: &connections)
    #expect(connections.isFull)
    connections.retired = 0
    #expect(!connections.isFull)
  }

  @Test func `connections that are being answered are never displaced`() {
    var connections = OpenConnections<Int>(HTTPLimits(connections: 4))
    add(0..<4, from: 2, at: start, to: &connections)
    for (id, work) in zip(0..<4, [OpenConnections<Int>.Connection.Work.stream, .deferred, .answer, .stream]) {
      connections.set(work, of: id, at: start)
    }
    let hasRoom4 = connections.makeRoom(for: network(3), at: start + .seconds(5))
    #expect(!hasRoom4)
  }
}
