import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// Captures, encodes, publishes and records one broadcast after another until it is stopped.
///
/// `run` works on threads of its own. Commands may be called from any thread or task and never block.
public final class Broadcaster: Sendable {
  let inner: HoldfastBroadcasting.Broadcaster
  let receivers: [Supplied<any PacketReceiver>]
  private let streams = EventStreams()
  private let reports = Locked<[Report]>([])
  private let sinks: [SinkThread]
  private let hasRun = Locked(false)

  /// Validates `configuration`; starts nothing yet.
  ///
  /// `gate` decides whether a broadcast may go live, and `sinks` receive its packets. `environment` is passed
  /// to the configured commands and determines where journals are kept.
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

  /// Broadcasts until it is stopped, reaches its end or fails; returns a report of each broadcast.
  ///
  /// A broadcaster runs once. Cancelling the task ends the broadcast like `stop()`: media already captured is
  /// still sent and recorded. Event streams end when this returns.
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

  /// A new stream of all events from now on, in order. It buffers the newest 1000 unread events.
  public func events() -> AsyncStream<Event> { streams.new() }

  /// The current state of the broadcaster.
  public var state: BroadcasterState { BroadcasterState(inner.state) }

  /// Measurements of the running broadcast, updated four times a second.
  public var snapshot: Snapshot { Snapshot(inner: inner.snapshot) }
}

/// Runs a blocking body on a thread of its own, off the cooperative pool.
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

/// Distributes events to all listeners.
final class EventStreams: Sendable {
  /// The listeners; nil once the events have ended.
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
