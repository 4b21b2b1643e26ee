internal import HoldfastBroadcasting
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Captures, encodes, publishes and records: one broadcast after another, until it is stopped.
///
/// `run` does the work on threads of its own; commands come from any thread or task, and never block.
public final class Broadcaster: Sendable {
  let inner: HoldfastBroadcasting.Broadcaster
  private let streams = EventStreams()
  private let reports = Locked<[Report]>([])
  private let sinks: [SinkThread]
  private let hasRun = Locked(false)

  /// Checks `configuration`, and starts nothing yet.
  ///
  /// `gate` has a say before a broadcast goes live, and `sinks` get its packets. `environment` is what commands of the
  /// configuration see.
  public init(
    _ configuration: Configuration, gate: (any GoLiveGate)? = nil, sinks: [any PacketSink] = [],
    environment: [String: String] = [:]
  ) throws(ConfigurationError) {
    self.sinks = sinks.map(SinkThread.init)
    let configuration = configuration.inner(receivers: self.sinks.map { .init($0) })
    do { try configuration.validate() } catch { throw ConfigurationError(error) }
    inner = HoldfastBroadcasting.Broadcaster(
      configuration, environment: environment, gate: gate.map(GateAdapter.init),
      observe: { [streams] observation in
        if case .event(let line) = observation { streams.yield(Event(line)) }
      },
      finish: { [reports] outcome in
        if let report = outcome.report { reports.withLock { $0.append(Report(report)) } }
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
    if isSecond { throw .alreadyRun }
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
      for sink in sinks { sink.abandon() }
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
  public var snapshot: Snapshot { Snapshot(inner.snapshot) }
}

/// Runs a body that blocks beside the tasks' threads, which it must not hold up.
func onThread<Result: Sendable>(
  _ name: String, _ body: @escaping @Sendable () -> Result
) async throws(SystemError) -> Result {
  let thread = ThreadSlot()
  defer { thread.join() }
  let result: Swift.Result<Result, SystemError> = await withCheckedContinuation { done in
    do throws(SystemError) {
      try thread.start(name: name) { done.resume(returning: .success(body())) }
    } catch {
      done.resume(returning: .failure(error))
    }
  }
  return try result.get()
}

/// Events on their way to everybody who listens.
final class EventStreams: Sendable {
  private struct State: Sendable {
    var isFinished = false
    var numbers = 0
    var open: [Int: AsyncStream<Event>.Continuation] = [:]
  }

  private let state = Locked(State())

  func new() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(1000))
    let number = state.withLock { state -> Int? in
      guard !state.isFinished else { return nil }
      state.numbers += 1
      state.open[state.numbers] = continuation
      return state.numbers
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [self] _ in state.withLock { _ = $0.open.removeValue(forKey: number) } }
    return stream
  }

  func yield(_ event: Event) {
    for listener in state.withLock({ Array($0.open.values) }) { listener.yield(event) }
  }

  func finish() {
    let open = state.withLock { state in
      state.isFinished = true
      return Array(state.open.values)
    }
    for listener in open { listener.finish() }
  }
}
