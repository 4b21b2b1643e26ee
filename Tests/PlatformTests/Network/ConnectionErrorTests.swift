import Glibc
import Testing

@testable import HoldfastPlatform

@Suite struct ConnectionErrorTests {
  @Test(arguments: [
    (ECONNRESET, ConnectionError.Kind.closed), (ECONNABORTED, .closed), (EPIPE, .closed), (ENOTCONN, .closed),
    (ETIMEDOUT, .timedOut), (EHOSTUNREACH, .unreachable), (ENETUNREACH, .unreachable),
    (ENETDOWN, .unreachable),
    (EPERM, .unreachable), (EBADF, .system), (ENOMEM, .system),
  ])
  func `what ends a connection has its kind`(code: Int32, kind: ConnectionError.Kind) {
    #expect(ConnectionError(connectedTo: "host:1935", code: code).kind == kind)
  }

  @Test(arguments: [
    (ECONNREFUSED, ConnectionError.Kind.unreachable), (ECONNRESET, .unreachable), (ENETUNREACH, .unreachable),
    (EHOSTUNREACH, .unreachable), (EADDRNOTAVAIL, .unreachable), (EACCES, .unreachable),
    (ETIMEDOUT, .timedOut),
    (EMFILE, .system),
  ])
  func `what keeps a connection from coming about has its kind`(code: Int32, kind: ConnectionError.Kind) {
    #expect(ConnectionError(connecting: "host:1935", code: code).kind == kind)
  }

  @Test func `says what happened, to whom, and what can be done`() {
    let error = ConnectionError(connecting: "host:1935", code: ECONNREFUSED)
    #expect(
      "\(error)"
        == "host:1935: nobody listens there (connection refused); check the port, and that the server runs")
  }
}
