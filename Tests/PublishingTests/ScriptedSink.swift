import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform

@testable import HoldfastPublishing

/// A server made of what a test says: it accepts or refuses, takes packets, freezes, hangs up.
final class ScriptedServer: Sendable {
  struct State: Sendable {
    /// What the next attempts come to, in their order; accepted when there is nothing more.
    var attempts: [SinkError?] = []
    var isFrozen = false
    var failure: SinkError?
    var requests: [PublishRequest] = []
    /// The packets of each connection.
    var received: [[MediaPacket]] = []
    var isClosedInOrder = false
    /// A connection that is left may still confirm what was sent.
    var staysOpen = false
    /// How often it has shown progress.
    var answers = 0
  }

  let state = Locked(State())

  func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
}

final class ScriptedSink: ServerSink {
  private let server: ScriptedServer
  private var lastProgress = MonotonicTime.now

  init(_ server: ScriptedServer) { self.server = server }

  func open(_ request: PublishRequest, until deadline: MonotonicTime, stop: Wakeup) throws(SinkError) {
    let error = server.state.withLock { state -> SinkError? in
      state.requests.append(request)
      let next = state.attempts.isEmpty ? nil : state.attempts.removeFirst()
      if next == nil { state.received.append([]) }
      return next
    }
    if let error { throw error }
    lastProgress = .now
  }

  func send(_ packet: MediaPacket) throws(SinkError) {
    server.change { $0.received[$0.received.count - 1].append(packet) }
  }

  var backlog: Int { 0 }

  func exchange(until deadline: MonotonicTime, wakeup: Wakeup) throws(SinkError) {
    wakeup.wait(until: deadline)
    let (failure, isFrozen) = server.state.withLock { state in
      defer { state.failure = nil }
      return (state.failure, state.isFrozen)
    }
    if let failure { throw failure }
    guard !isFrozen else { return }
    lastProgress = .now
    server.change { $0.answers += 1 }
  }

  var health: SinkHealth {
    SinkHealth(
      lastProgress: lastProgress, confirmedUntil: lastProgress, isWaitingForPeer: true, isPeerAnswering: true)
  }

  var isOpen: Bool { server.state.withLock { $0.staysOpen } }
  func leave() {}
  func listen(until deadline: MonotonicTime) {}

  func close(until deadline: MonotonicTime) -> Bool {
    let isOrderly = deadline > .now
    if isOrderly { server.change { $0.isClosedInOrder = true } }
    return isOrderly
  }
}
