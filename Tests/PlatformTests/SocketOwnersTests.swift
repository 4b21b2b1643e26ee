import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import Testing

@Suite struct SocketOwnersTests {
  /// The two ends of a connection over loopback.
  private struct Pair {
    let client: Int32
    let server: Int32

    init(family: Int32 = AF_INET, to host: String = "127.0.0.1", listening: String = "127.0.0.1") throws {
      let listener = try Listener(host: listening, port: 0)
      let client = socket(family, Int32(SOCK_STREAM.rawValue), 0)
      let port = listener.port
      var result: Int32 = -1
      if family == AF_INET {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        result = withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
      } else {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        inet_pton(AF_INET6, host, &address.sin6_addr)
        result = withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(client, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
          }
        }
      }
      try #require(result == 0)
      self.client = client
      server = accept(listener.descriptor, nil, nil)
      try #require(server >= 0)
    }
  }

  @Test func `a connection from here is this user's`() throws {
    let pair = try Pair()
    defer {
      close(pair.client)
      close(pair.server)
    }
    #expect(try SocketOwners().owner(ofPeerAt: pair.server) == geteuid())
    #expect(try SocketOwners().owner(ofPeerAt: pair.client) == geteuid())
  }

  @Test func `so is one to a socket that takes both kinds of addresses, and one over IPv6`() throws {
    guard let mapped = try? Pair(listening: "::") else { return }
    let six = try Pair(family: AF_INET6, to: "::1", listening: "::1")
    defer { for raw in [mapped.client, mapped.server, six.client, six.server] { close(raw) } }
    #expect(try SocketOwners().owner(ofPeerAt: mapped.server) == geteuid())
    #expect(try SocketOwners().owner(ofPeerAt: six.server) == geteuid())
  }

  @Test func `who has closed its end is nobody, though the kernel says root`() throws {
    let owners = try SocketOwners()
    let pair = try Pair()
    defer { close(pair.server) }
    send(pair.client, "POST", 4, 0)
    close(pair.client)
    #expect(owners.owner(ofPeerAt: pair.server) == nil)
  }

  @Test func `what is no connection is nobody's`() throws {
    let owners = try SocketOwners()
    #expect(owners.owner(ofPeerAt: -1) == nil)
    #expect(owners.owner(ofPeerAt: 0) == nil)
    let listener = try Listener(host: "127.0.0.1", port: 0)
    #expect(owners.owner(ofPeerAt: listener.descriptor) == nil)
  }

  @Test func `a socket of another user is that user's`() throws {
    guard geteuid() == 0 else { return }
    let listener = try Listener(host: "127.0.0.1", port: 0)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
    process.arguments = [
      "--reuid=65534", "--clear-groups", "bash", "-c",
      "exec 3<>/dev/tcp/127.0.0.1/\(listener.port); read -r line <&3",
    ]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return }
    var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, 30_000) == 1)
    let server = accept(listener.descriptor, nil, nil)
    #expect(try SocketOwners().owner(ofPeerAt: server) == 65534)
    close(server)
    process.waitUntilExit()
  }
}
