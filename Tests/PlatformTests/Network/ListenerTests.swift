import HoldfastMediaModel
import HoldfastPlatform
import Testing

@Suite struct ListenerTests {
  @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), ("0.0.0.0", "0.0.0.0")])
  func `port 0 selects a free port and reports it`(host: String, address: String) throws {
    let listener = try Listener(host: host, port: 0)
    let (port, local) = (listener.port, listener.local)
    #expect(port > 0)
    #expect(local == "\(address):\(port)")
  }

  @Test func `a listener accepts one connection after another, and none without a client`() throws {
    var listener = try Listener(host: "127.0.0.1", port: 0)
    let isEmpty = try listener.accept() == nil
    #expect(isEmpty)
    let (first, second) = (try connect(to: listener.port).local, try connect(to: listener.port).local)
    let peers = [try listener.next().peer, try listener.next().peer]
    #expect(peers == [first, second])
  }

  @Test func `a port in use is reported as such`() throws {
    let listener = try Listener(host: "127.0.0.1", port: 0)
    let port = listener.port
    let error = #expect(throws: ConnectionError.self) { _ = try Listener(host: "127.0.0.1", port: port) }
    #expect(error?.what == "127.0.0.1:\(port): the address is already in use")
  }

  @Test func `an address of another machine is reported as such`() throws {
    let error = #expect(throws: ConnectionError.self) { _ = try Listener(host: "192.0.2.200", port: 0) }
    #expect(error?.what == "192.0.2.200:0: this machine has no such address")
  }

  @Test func `a port can be reused at once`() throws {
    let port: UInt16
    do {
      var listener = try Listener(host: "127.0.0.1", port: 0)
      port = listener.port
      var client = try connect(to: port)
      var server = try listener.next()
      server.endSending()
      _ = try client.read(atLeast: 1)
    }
    let again = try Listener(host: "127.0.0.1", port: port).port
    #expect(again == port)
  }
}
