internal import HoldfastBroadcasting
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRecording

/// Captures, encodes, publishes and records: one broadcast after another, until it is stopped.
///
/// `run` does the work on threads of its own; commands come from any thread or task, and never block.
public final class Broadcaster: Sendable {
  let inner: HoldfastBroadcasting.Broadcaster
  let receivers: [Supplied<any PacketReceiver>]
  private let streams = EventStreams()
  private let reports = Locked<[Report]>([])
  private let sinks: [SinkThread]
  private let hasRun = Locked(false)

  /// Checks `configuration`, and starts nothing yet.
  ///
  /// `gate` has a say before a broadcast goes live, and `sinks` get its packets. `environment` is what commands of the
  /// configuration see, and says where journals are kept.
  public init(
    _ configuration: Configuration, gate: (any GoLiveGate)? = nil, sinks: [any PacketSink] = [],
    environment: [String: String] = [:]
  ) throws(ConfigurationError) {
    self.sinks = sinks.map(SinkThread.init)
    receivers = self.sinks.map { Supplied($0, of: $0, name: "sink") }
    let checked = try configuration.checked(receivers: receivers)
    var journals: JournalFolder?
    if configuration.session.afterCrash != nil {
      do { journals = try JournalFolder(name: checked.name, environment: environment) } catch {
        throw ConfigurationError(settings: ["afterCrash"], what: error.what, remedy: error.hint)
      }
    }
    inner = HoldfastBroadcasting.Broadcaster(
      checked, journals: journals, environment: environment, gate: gate.map(GateAdapter.init),
      observe: { [streams] observation in
        if case .event(let line) = observation { streams.yield(Event(inner: line)) }
      },
      finish: { [reports] outcome in
        if let report = outcome.report { reports.withLock { $0.append(Report(inner: report)) } }
      })
  }

  /// Broadcasts until it is stopped, comes to its end or can't go on, and returns what each broadcast came to.
  ///
  /// A broadcaster runs once. When the task is cancelled, the broadcast ends as `stop()` ends it: everything captured
  /// is still sent and recorded. Events end when this returns.
  @discardableResult
  public func run() async throws(BroadcastError) -> [Report] {
    let isSecond = hasRun.withLock { hasRun in
      defer { hasRun = true }
      return hasRun
    }
    if isSecond {
      throw BroadcastError(
        kind: .alreadyRun, subject: "broadcaster", what: "it has run already", remedy: "make another one")
    }
    defer { streams.finish() }
    let failure: HoldfastBroadcasting.BroadcastError?
    do {
      for sink in sinks { try sink.start() }
      failure = try await withTaskCancellationHandler {
        try await onThread("broadcaster") { [inner] in inner.run() }
      } onCancel: {
        stop()
      }
    } catch {
      for sink in sinks { sink.close() }
      for sink in sinks { sink.join() }
      throw BroadcastError(.system("\(error)"))
    }
    for sink in sinks { sink.close() }
    do { try await onThread("sinks") { [sinks] in for sink in sinks { sink.join() } } } catch {
      for sink in sinks { sink.join() }
    }
    if let failure { throw BroadcastError(failure) }
    return reports.withLock { $0 }
  }

  /// Everything that happens from now on, in its order. Each call makes a stream of its own, which keeps the newest 1000
  /// events that nobody has taken yet.
  public func events() -> AsyncStream<Event> { streams.new() }

  /// What the broadcaster is doing.
  public var state: BroadcasterState { BroadcasterState(inner.state) }

  /// How the broadcast is doing, measured four times a second.
  public var snapshot: Snapshot { Snapshot(inner: inner.snapshot) }
}

/// Runs a body that blocks beside the tasks' threads, which it must not hold up.
package func onThread<Result: Sendable>(
  _ name: String, _ body: @escaping @Sendable () -> Result
) async throws -> Result {
  let thread = ThreadSlot()
  defer { thread.join() }
  return try await withCheckedThrowingContinuation { done in
    do {
      try thread.start(name: name) { done.resume(returning: body()) }
    } catch {
      done.resume(throwing: error)
    }
  }
}

/// Events on their way to all listeners.
final class EventStreams: Sendable {
  /// Nil when there are no more events.
  private let open = Locked<[AsyncStream<Event>.Continuation]?>([])

  func new() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(1000))
    let isOpen = open.withLock { open in
      open?.append(continuation)
      return open != nil
    }
    if !isOpen { continuation.finish() }
    return stream
  }

  func yield(_ event: Event) {
    open.withLock { open in
      open?.removeAll { listener in
        if case .terminated = listener.yield(event) { true } else { false }
      }
    }
  }

  func finish() {
    let listeners = open.withLock { open in
      defer { open = nil }
      return open ?? []
    }
    for listener in listeners { listener.finish() }
  }
}
