import Foundation
import HoldfastPlatform
import TestSupport
import Testing

@Suite struct SocketOwnersTests {
  @Test func `a local connection belongs to this user`() throws {
    let pair = try LoopbackPair()
    let owners = try SocketOwners()
    let found = [pair.server.descriptor, pair.client.descriptor].map { owners.owner(ofPeerAt: $0) }
    #expect(found == [geteuid(), geteuid()])
  }

  @Test(arguments: [("127.0.0.1", "::"), ("::1", "::1")])
  func `a connection over IPv6 or to a dual-stack socket belongs to this user`(
    host: String, listening: String
  ) throws {
    guard let pair = try? LoopbackPair(to: host, listening: listening) else { return }
    let owner = try SocketOwners().owner(ofPeerAt: pair.server.descriptor)
    #expect(owner == geteuid())
  }

  @Test func `a closed connection has no owner, though the kernel reports root`() throws {
    let owners = try SocketOwners()
    var listener = try Listener(host: "127.0.0.1", port: 0)
    var client: Connection? = try connect(to: listener.port)
    let server = try listener.next()
    try client?.write(all: Array("POST".utf8))
    client = nil
    // A program that another test is starting may hold a copy for a moment.
    #expect(eventually { owners.owner(ofPeerAt: server.descriptor) == nil })
  }

  @Test func `a descriptor without a connection has no owner`() throws {
    let owners = try SocketOwners()
    let listener = try Listener(host: "127.0.0.1", port: 0)
    for descriptor in [-1, 0, listener.descriptor] { #expect(owners.owner(ofPeerAt: descriptor) == nil) }
  }

  @Test func `a connection of another user belongs to that user`() throws {
    guard geteuid() == 0 else { return }
    var listener = try Listener(host: "127.0.0.1", port: 0)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
    process.arguments = [
      "--reuid=65534", "--clear-groups", "bash", "-c",
      "exec 3<>/dev/tcp/127.0.0.1/\(listener.port); read -r line <&3",
    ]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return }
    do {
      let server = try listener.next()
      let owner = try SocketOwners().owner(ofPeerAt: server.descriptor)
      #expect(owner == 65534)
    }
    process.waitUntilExit()
  }
}
