import Glibc
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

@testable import HoldfastPlatform

@Suite(.realTime) struct ConnectTests {
  /// A port where nobody listens.
  private func freePort() throws -> UInt16 {
    let listener = try Listener(host: "127.0.0.1", port: 0)
    return listener.port
  }

  private func address(_ port: UInt16) throws -> SocketAddress {
    try #require(SocketAddress(literal: "127.0.0.1", port: port))
  }

  @Test func `a port without a listener is reported at once`() throws {
    let port = try freePort()
    let error = #expect(throws: ConnectionError.self) { _ = try connect(to: port) }
    #expect(error?.kind == .unreachable)
    #expect(
      error?.description == "127.0.0.1:\(port): no server is listening (connection refused); "
        + "check the port, and that the server is running")
  }

  @Test func `a server that never answers times out`() throws {
    let hole = try BlackHole()
    let port = hole.port
    let error = #expect(throws: ConnectionError.self) {
      _ = try connect(to: port, host: "localhost", until: .now + .milliseconds(50))
    }
    #expect(error?.kind == .timedOut)
    #expect(error?.what == "localhost:\(port): no answer in time (tried 127.0.0.1:\(port))")
  }

  @Test func `a stop ends a wait for an answer`() throws {
    let hole = try BlackHole()
    let port = hole.port
    let stop = try Wakeup()
    let began = MonotonicTime.now
    let thread = try WorkerThread(name: "stopper") {
      _ = try? Wakeup().wait(until: .now + .milliseconds(20))
      stop.signal()
    }
    let error = #expect(throws: ConnectionError.self) {
      _ = try Connection(host: "127.0.0.1", port: port, tls: nil, until: .now + .seconds(60), stop: stop)
    }
    thread.join()
    #expect(error?.kind == .stopped)
    #expect(MonotonicTime.now - began < .seconds(30))
  }

  @Test(arguments: [false, true])
  func `an address that does not answer, or is refused, does not hold up the next one`(
    isRefused: Bool
  ) throws {
    let hole = try BlackHole()
    let listener = try Listener(host: "127.0.0.1", port: 0)
    let first = try address(isRefused ? freePort() : hole.port)
    let addresses = (isRefused ? [first, first] : [first]) + [try address(listener.port)]
    var race = ConnectRace(to: addresses, name: "host")
    let winner = try race.run(until: generousDeadline, stop: try Wakeup())
    let peer = SocketAddress(ofPeerAt: winner.raw)
    #expect(peer?.port == listener.port)
  }

  @Test func `the first address wins if it answers, and no other is tried`() throws {
    var second = try Listener(host: "127.0.0.1", port: 0)
    let first = try Listener(host: "127.0.0.1", port: 0)
    var race = ConnectRace(to: [try address(first.port), try address(second.port)], name: "host")
    _ = try race.run(until: generousDeadline, stop: try Wakeup())
    let isVisited = try second.accept() != nil
    #expect(!isVisited)
  }

  @Test(arguments: [
    (2, "no server is listening (connection refused)"), (0, "no route to the host (network is unreachable)"),
  ])
  func `a connection with all addresses refused, or none, is unreachable`(count: Int, reason: String) throws {
    let refused = try address(try freePort())
    var race = ConnectRace(to: Array(repeating: refused, count: count), name: "host:1935")
    let stop = try Wakeup()
    let error = #expect(throws: ConnectionError.self) {
      _ = try race.run(until: generousDeadline, stop: stop)
    }
    #expect((error?.kind, error?.what) == (.unreachable, "host:1935: " + reason))
  }
}

@Suite struct ConnectionErrorTests {
  @Test(arguments: [
    (ECONNRESET, ConnectionError.Kind.closed), (ECONNABORTED, .closed), (EPIPE, .closed), (ENOTCONN, .closed),
    (ETIMEDOUT, .timedOut), (EHOSTUNREACH, .unreachable), (ENETUNREACH, .unreachable),
    (ENETDOWN, .unreachable), (EPERM, .unreachable), (EBADF, .system), (ENOMEM, .system),
  ])
  func `each error code that ends a connection maps to a kind`(code: Int32, kind: ConnectionError.Kind) {
    #expect(ConnectionError(connectedTo: "host:1935", code: code).kind == kind)
  }

  @Test(arguments: [
    (ECONNREFUSED, ConnectionError.Kind.unreachable), (ECONNRESET, .unreachable), (ENETUNREACH, .unreachable),
    (EHOSTUNREACH, .unreachable), (EADDRNOTAVAIL, .unreachable), (EACCES, .unreachable),
    (ETIMEDOUT, .timedOut), (EMFILE, .system),
  ])
  func `each error code that prevents a connection maps to a kind`(code: Int32, kind: ConnectionError.Kind) {
    #expect(ConnectionError(connecting: "host:1935", code: code).kind == kind)
  }
}
