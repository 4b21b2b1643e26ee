import Glibc
import HoldfastMediaModel
import TestSupport
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

  /// The error of a look-up that must fail.
  private func error(
    _ resolver: NameResolver, _ host: String = "host.example",
    until deadline: MonotonicTime = generousDeadline, stop: Wakeup? = nil
  ) throws -> ConnectionError? {
    let stop = try stop ?? Wakeup()
    return #expect(throws: ConnectionError.self) {
      try resolver.addresses(of: host, port: 1935, until: deadline, stop: stop)
    }
  }

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:1935"), ("::1", "[::1]:1935"), ("[::1]", "[::1]:1935"),
    ("[2001:db8::1]", "[2001:db8::1]:1935"),
  ])
  func `a numeric address needs no name server`(host: String, address: String) throws {
    let server = try SilentServer()
    let found = try server.resolver.addresses(of: host, port: 1935, until: .now, stop: try Wakeup())
    #expect(found.map(\.description) == [address])
  }

  @Test func `localhost resolves to this machine`() throws {
    let found = try NameResolver.system.addresses(
      of: "localhost", port: 1935, until: generousDeadline, stop: try Wakeup())
    #expect(found.map(\.description).contains("127.0.0.1:1935"))
  }

  @Test(arguments: ["", "a\0b", String(repeating: "a", count: 300), "a..b"])
  func `invalid host names are rejected`(host: String) throws {
    #expect(try error(.system, host)?.kind == .unresolved)
  }

  @Test func `a look-up without an answer times out`() throws {
    let server = try SilentServer()
    let error = try error(server.resolver, until: .now + .milliseconds(20))
    #expect(error?.kind == .unresolved)
    #expect(error?.what == "host.example: the name lookup was not answered in time")
  }

  @Test func `a stop ends a look-up`() throws {
    let server = try SilentServer()
    let stop = try Wakeup()
    stop.signal()
    #expect(try error(server.resolver, stop: stop)?.kind == .stopped)
  }

  @Test func `unanswered look-ups do not pile up`() throws {
    let server = try SilentServer(limit: 2)
    let errors = try (0..<3).map { _ in try error(server.resolver, until: .now) }
    #expect(errors.map { $0?.what.contains("already waiting for an answer") } == [false, false, true])
  }

  @Test(arguments: [
    (EAI_NONAME, "there is no such host"), (EAI_AGAIN, "the name servers do not answer"),
    (EAI_SYSTEM, "getaddrinfo: Input/output error"),
  ])
  func `an unknown name is distinguished from servers that do not answer`(
    code: Int32, reason: String
  ) throws {
    let resolver = NameResolver(limit: 1) { _, _ in .failure(LookUpFailure(code: code, systemCode: EIO)) }
    #expect(try error(resolver)?.what == "host.example: " + reason)
  }

  @Test func `address families alternate, with the best address first`() throws {
    let hosts = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.1"]
    let ordered = NameResolver.alternating(hosts.compactMap { SocketAddress(literal: $0, port: 1) })
    #expect(ordered.map(\.host) == ["2001:db8::1", "192.0.2.1", "2001:db8::2", "2001:db8::3"])
  }
}
