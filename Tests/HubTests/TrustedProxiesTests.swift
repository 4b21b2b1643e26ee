import HoldfastHTTP
import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastHub

@Suite struct TrustedProxiesTests {
  private func client(_ network: String, peer: String, named: String?) throws -> HTTPRequest.Peer {
    var proxies = TrustedProxies()
    proxies.add(try TrustedProxies.Network(network))
    var request = HTTPRequest("GET", "/")
    request.peer = .remote(address: peer, isSameUser: true)
    request.forwardedFor = named
    return proxies.client(of: request)
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.1.2.3", true), ("10.1.2.3", "10.1.2.3", true), ("0.0.0.0/0", "192.168.1.1", true),
    ("192.168.4.0/22", "192.168.7.255", true), ("fd00::/8", "fd12::1", true), ("::1", "::1", true),
    ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("10.0.0.0/8", "11.1.2.3", false),
    ("192.168.4.0/22", "192.168.8.0", false), ("fd00::/8", "fe80::1", false), ("::/0", "10.0.0.1", false),
  ])
  func `only a trusted proxy's word counts`(network: String, peer: String, counts: Bool) throws {
    let client = try client(network, peer: peer, named: "203.0.113.7")
    #expect(client == .remote(address: counts ? "203.0.113.7" : peer, isSameUser: !counts))
  }

  @Test(arguments: [nil, "", "nonsense", "1.2.3"])
  func `what is no address is nobody's`(named: String?) throws {
    let client = try client("10.0.0.0/8", peer: "10.0.0.1", named: named)
    #expect(client == .remote(address: "10.0.0.1", isSameUser: true))
  }

  @Test(arguments: ["", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "host", "::/129", "10.0.0.0/-1"])
  func `what is no network is refused`(text: String) {
    #expect(throws: InvalidValue.self) { try TrustedProxies.Network(text) }
  }
}
