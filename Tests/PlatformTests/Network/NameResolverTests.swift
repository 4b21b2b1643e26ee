import Glibc
import HoldfastMediaModel
import Testing

@testable import HoldfastPlatform

@Suite struct NameResolverTests {
  /// A name server that does not answer until it is released.
  private final class SilentServer: Sendable {
    let release: Wakeup
    let resolver: NameResolver

    init(limit: Int = 16) throws {
      let release = try Wakeup()
      self.release = release
      resolver = NameResolver(limit: limit) { _, _ in
        _ = release.wait(until: generousDeadline)
        return .success([])
      }
    }

    deinit { release.signal() }
  }

  private func error(_ code: Int32) throws -> ConnectionError? {
    let resolver = NameResolver(limit: 1) { _, _ in .failure(LookUpFailure(code: code, systemCode: EIO)) }
    let stop = try Wakeup()
    return #expect(throws: ConnectionError.self) {
      try resolver.addresses(of: "host.example", port: 1935, until: generousDeadline, stop: stop)
    }
  }

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:1935"), ("::1", "[::1]:1935"), ("[::1]", "[::1]:1935"),
    ("[2001:db8::1]", "[2001:db8::1]:1935"),
  ])
  func `an address in digits needs no answer from anybody`(host: String, address: String) throws {
    let server = try SilentServer()
    let found = try server.resolver.addresses(of: host, port: 1935, until: .now, stop: try Wakeup())
    #expect(found.map(\.description) == [address])
  }

  @Test func `finds this machine by name`() throws {
    let found = try NameResolver.system.addresses(
      of: "localhost", port: 1935, until: generousDeadline, stop: try Wakeup())
    #expect(found.map(\.description).contains("127.0.0.1:1935"))
  }

  @Test(arguments: ["", "a\0b", String(repeating: "a", count: 300), "a..b"])
  func `what can be no name is refused`(host: String) throws {
    let stop = try Wakeup()
    let error = #expect(throws: ConnectionError.self) {
      try NameResolver.system.addresses(of: host, port: 1935, until: generousDeadline, stop: stop)
    }
    #expect(error?.kind == .unresolved)
  }

  @Test func `gives up when its time is over`() throws {
    let server = try SilentServer()
    let stop = try Wakeup()
    let error = #expect(throws: ConnectionError.self) {
      try server.resolver.addresses(of: "host.example", port: 1, until: .now + .milliseconds(20), stop: stop)
    }
    #expect(error?.kind == .unresolved)
    #expect(error?.what == "host.example: no answer to the question for its address")
  }

  @Test func `gives up when it is told to stop`() throws {
    let server = try SilentServer()
    let stop = try Wakeup()
    stop.signal()
    let error = #expect(throws: ConnectionError.self) {
      try server.resolver.addresses(of: "host.example", port: 1, until: generousDeadline, stop: stop)
    }
    #expect(error?.kind == .stopped)
  }

  @Test func `questions without an answer do not pile up`() throws {
    let server = try SilentServer(limit: 2)
    let stop = try Wakeup()
    let errors = (0..<3).map { _ in
      #expect(throws: ConnectionError.self) {
        try server.resolver.addresses(of: "host.example", port: 1, until: .now, stop: stop)
      }
    }
    #expect(errors.map { $0?.what.contains("wait for an answer already") } == [false, false, true])
  }

  @Test func `a name that is unknown is told apart from servers that do not answer`() throws {
    #expect(try error(EAI_NONAME)?.what == "host.example: there is no such host")
    #expect(try error(EAI_AGAIN)?.what == "host.example: the name servers do not answer")
    #expect(try error(EAI_SYSTEM)?.what == "host.example: getaddrinfo: Input/output error")
  }

  @Test func `families take turns, the best address first`() throws {
    let hosts = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.1"]
    let ordered = NameResolver.alternating(hosts.compactMap { SocketAddress(literal: $0, port: 1) })
    #expect(ordered.map(\.host) == ["2001:db8::1", "192.0.2.1", "2001:db8::2", "2001:db8::3"])
  }
}
