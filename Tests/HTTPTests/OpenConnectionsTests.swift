import HoldfastMediaModel
import Testing

@testable import HoldfastHTTP
@testable import HoldfastPlatform

@Suite struct OpenConnectionsTests {
  private let start = MonotonicTime(nanoseconds: 5_000_000_000)
  private var connections = OpenConnections<Int>(HTTPLimits(connections: 10))

  private func network(_ number: UInt8) -> SocketNetwork { SocketNetwork(prefix: [127, 0, 0, number]) }

  private mutating func add(_ ids: some Sequence<Int>, from number: UInt8) {
    for id in ids {
      let since = start + .milliseconds(Int64(id))
      connections.add(id, .init(descriptor: -1, peer: nil, network: network(number), since: since))
    }
  }

  /// Those that were told to close.
  private var displaced: [Int] { (0..<10).filter { connections[$0]?.work == .answer } }

  @Test mutating func `a full server makes room at the cost of the address with the most idle connections`() {
    add(0..<3, from: 1)
    add(3..<10, from: 2)
    for (number, expected) in [(3, [3]), (1, [3, 4])] as [(UInt8, [Int])] {
      let hasRoom = connections.makeRoom(for: network(number), at: start + .milliseconds(20))
      #expect(hasRoom && displaced == expected)
    }
  }

  @Test mutating func `the address with the most idle connections gets no more of them in a full server`() {
    add(0..<3, from: 1)
    add(3..<10, from: 2)
    let hasRoom = connections.makeRoom(for: network(2), at: start + .seconds(5))
    #expect(!hasRoom && displaced == [])
  }

  @Test mutating func `connections of a retired daemon leave so much less room`() {
    add(0..<3, from: 1)
    connections.retired = 6
    #expect(!connections.isFull)
    add(3..<4, from: 2)
    #expect(connections.isFull)
    connections.retired = 0
    #expect(!connections.isFull)
  }

  @Test mutating func `connections that are being answered are never displaced`() {
    connections = OpenConnections(HTTPLimits(connections: 4))
    add(0..<4, from: 2)
    for (id, work) in zip(0..<4, [OpenConnections<Int>.Connection.Work.stream, .deferred, .answer, .stream]) {
      connections.set(work, of: id, at: start)
    }
    let hasRoom = connections.makeRoom(for: network(3), at: start + .seconds(5))
    #expect(!hasRoom)
  }
}
