import Glibc
import HoldfastMediaModel
import Testing

@testable import HoldfastPlatform

@Suite struct DatagramFilterTests {
  @Test func `a read of a filtered socket waits, as libsrt would otherwise read it without a pause`() throws {
    let peer = try #require(SocketAddress(literal: "127.0.0.1", port: 9))
    let socket = try DatagramFilter(of: 1, over: 1, at: 4).makeSocket(toReach: peer)
    var limit = timeval(tv_sec: 0, tv_usec: 50_000)
    setsockopt(socket.raw, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let start = MonotonicTime.now
    var byte: UInt8 = 0
    #expect(recv(socket.raw, &byte, 1, 0) == -1 && errno == EAGAIN)
    #expect(.now - start >= .milliseconds(40))
  }
}
