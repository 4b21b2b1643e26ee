import HoldfastTesting
import TestTraits
import Testing

@testable import Holdfast

/// A publisher under each fault of a local server.
@Suite(.realTime) struct LocalServerFaultTests {
  private let server: LocalServer

  init() throws { server = try LocalServer() }

  /// Publishes, causes the fault, mends it once the output waits because of `failure`, and waits for the output to
  /// publish again.
  private func publish(
    during fault: (LocalServer) throws -> Void, until failure: OutputFailure,
    mending mend: (LocalServer) throws -> Void = { _ in }
  ) async throws {
    let broadcaster = try Broadcaster.ofTestSignals(to: server)
    let events = broadcaster.events()
    async let reports = broadcaster.run()
    var step = 0
    for await event in events {
      guard case .output(let change) = event.kind else { continue }
      switch (change.state, step) {
      case (.publishing, 0):
        #expect(await server.waitForStream("hall") { ($0.video?.packets ?? 0) > 10 } != nil)
        step = 1
        try fault(server)
      case (.waiting(let cause, _), 1) where cause == failure:
        step = 2
        try mend(server)
      case (.publishing, 2):
        #expect(
          await server.waitForStream("hall") { $0.isContinuation && ($0.video?.packets ?? 0) > 10 } != nil)
        broadcaster.stop()
      default: break
      }
    }
    #expect(try await reports.first?.outputCount == 1)
    #expect(await server.waitForStream("hall") { $0.isContinuation && $0.hasEnded } != nil)
  }

  @Test func `a frozen server stalls the output, which returns after the thaw`() async throws {
    try await publish(during: { $0.freeze() }, until: .noProgress, mending: { $0.thaw() })
  }

  @Test func `a disconnected output reconnects`() async throws {
    try await publish(during: { $0.disconnectAll() }, until: .closed)
  }

  @Test func `an output that was accepted before reconnects after refusals`() async throws {
    try await publish(
      during: { server in
        server.refuseNext(2)
        server.disconnectAll()
      }, until: .refused)
  }

  @Test func `a stopped server is unreachable until it restarts on its port`() async throws {
    try await publish(during: { $0.stop() }, until: .unreachable, mending: { try $0.restart() })
  }

  @Test func `a refused start fails, and the next one succeeds`() async throws {
    server.refuseNext()
    let first = try Broadcaster.ofTestSignals(to: server)
    let error = await #expect(throws: BroadcastError.self) { try await first.run() }
    #expect(error?.kind == .refused)
    let second = try Broadcaster.ofTestSignals(to: server)
    async let reports = second.run()
    #expect(await server.waitForStream("hall") { ($0.video?.packets ?? 0) > 0 } != nil)
    second.stop()
    #expect(try await reports.count == 1)
  }
}
