import FoundationEssentials
import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
import HoldfastSessionClient

/// Captures, encodes, publishes and records one broadcast after another until it is stopped.
///
/// `run` works on threads of its own. Commands may be called from any thread or task; none
/// blocks the calling thread.
public final class Broadcaster: Sendable {
  /// The version of Holdfast, such as `0.1.0`.
  public static let version = HoldfastBroadcasting.Broadcaster.version

  let inner: HoldfastBroadcasting.Broadcaster
  let receivers: [Supplied<any PacketReceiver>]
  let hasGate: Bool
  private let streams = EventStreams<Event>()
  private let reports = Locked<[Report]>([])
  private let sinks: [SinkThread]
  /// What the session is joined by, while `run()` does.
  let membership: BroadcasterMembership
  /// Whether `run()` has been called.
  let hasRun = Locked(false)

  /// Validates `configuration`; starts nothing yet.
  ///
  /// `gate` decides whether a broadcast may go live, and `sinks` receive its packets. `environment` is passed
  /// to the configured commands and determines where journals are kept; nil for that of this process. `note`
  /// receives what a person should know beside the events, such as an unverified certificate
  /// or dropped events.
  public init(
    _ configuration: Configuration, gate: (any GoLiveGate)? = nil, sinks: [any PacketSink] = [],
    environment: [String: String]? = nil, note: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(ConfigurationError) {
    let sinks = sinks.map(SinkThread.init)
    self.sinks = sinks
    receivers = sinks.map { Supplied($0, of: $0, name: "sink") }
    hasGate = gate != nil
    let environment = environment ?? ProcessInfo.processInfo.environment
    let checked = try configuration.checked(receivers: receivers, hasGate: hasGate)
    var journals: JournalFolder?
    if configuration.session.afterCrash != nil {
      do { journals = try JournalFolder(name: checked.name, environment: environment) } catch {
        throw ConfigurationError(
          properties: [HoldfastBroadcasting.Configuration.Setting.afterCrash.property()],
          what: error.what, hint: error.hint)
      }
    }
    let membership = BroadcasterMembership(
      configuration.membership, name: checked.name, journals: journals?.path, note: note)
    self.membership = membership
    inner = HoldfastBroadcasting.Broadcaster(
      checked, journals: journals, environment: environment,
      gate: membership.gate(beside: gate.map(GateAdapter.init)),
      observe: { [streams] observation in
        membership.link?.observe(observation)
        switch observation {
        case .event(let line):
          if !streams.yield(Event(line)) { note("a stream of events is full: its oldest one is dropped") }
        case .note(let text), .warning(let text): note(text)
        case .offAir(let record):
          note(
            "off air since \(record.since.wall.rfc3339), before this process; resume or foreground ends that")
        case .snapshot: break
        }
      },
      finish: { [reports] outcome in
        guard let report = outcome.report.map(Report.init(inner:)) else { return }
        reports.withLock { $0.append(report) }
        for sink in sinks { sink.endBroadcast(report) }
      })
  }

  /// Broadcasts until it is stopped, reaches its end or fails; returns a report of each broadcast that went
  /// live. If the last broadcast failed, throws the reason, which has the reports as well.
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
        kind: .alreadyRun, subject: "broadcaster", what: "it has run already", hint: "make another one")
    }
    defer { streams.finish() }
    let failure: HoldfastBroadcasting.BroadcastError?
    do {
      failure = try await withTaskCancellationHandler {
        try await onThread("broadcaster") { [self] in runBlocking() }
      } onCancel: {
        stop()
      }
    } catch {
      failure = .system("\(error)")
    }
    let reports = reports.withLock { $0 }
    guard let failure else { return reports }
    var error = BroadcastError(failure)
    error.reports = reports
    throw error
  }

  /// Runs until the broadcaster has ended and the sinks have received everything.
  private func runBlocking() -> HoldfastBroadcasting.BroadcastError? {
    defer {
      for sink in sinks { sink.close() }
      for sink in sinks { sink.join() }
    }
    do {
      for sink in sinks { try sink.start() }
      try membership.start(controlling: inner)
    } catch {
      return .system("\(error)")
    }
    defer { membership.finish() }
    return inner.run()
  }

  /// A new stream of all events from now on, in order. It buffers the newest 1000 unread events.
  public func events() -> AsyncStream<Event> { streams.new() }

  /// The current state of the broadcaster.
  public var state: BroadcasterState { BroadcasterState(inner.status) }

  /// Measurements of the running broadcast, updated four times a second.
  public var snapshot: Snapshot { Snapshot(inner.snapshot) }
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
