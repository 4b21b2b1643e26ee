import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import TestVirtualTime

/// When each session should end.
struct SessionTruth {
  struct Session {
    let startedAt: Int64
    var length: Int64
    var closedAt: Int64?
    /// Whether the program has all the information that the simulation has.
    var isSure = true
    /// The last change of the state that a restart needs.
    var journaledAt: Int64

    var end: Int64 { startedAt + length }
  }

  private(set) var all: [Session] = []
  private var requested = MediaTime.zero
  /// The extension granted before the next session.
  private var extra: Int64 = 0

  private var current: Session? {
    get { all.last?.closedAt == nil ? all.last : nil }
    set { if let newValue, let last = all.indices.last { all[last] = newValue } }
  }

  /// The first live broadcast begins a session.
  mutating func begin(_ length: Int64?, at now: Int64) {
    guard current == nil, let length else { return }
    all.append(Session(startedAt: now, length: length + extra, journaledAt: now))
    extra = 0
  }

  mutating func end(at now: Int64) { current?.closedAt = now }

  mutating func isJournaled(at now: Int64) { current?.journaledAt = now }

  mutating func willExtend(by more: MediaTime) { requested = more }

  /// A session survives its process only if its broadcast is resumed.
  mutating func processBegan(resuming truth: Truth?, _ day: Day) {
    extra = 0
    guard let truth, let session = current else { return end(at: day.world.now) }
    let disk = day.disk.trouble
    let isForgotten = truth.mayHaveForgotten(transition: session.journaledAt)
    let hadTrouble = disk.touched(session.startedAt..<day.world.now)
    if isForgotten || hadTrouble || !day.host.wallSteps.isEmpty { current?.isSure = false }
  }

  mutating func report(_ report: SessionTimer.Report, _ status: TimerStatus, _ day: Day) {
    guard var session = current else {
      if report == .extended { extra += requested.nanoseconds }
      return
    }
    guard session.isSure else { return }
    let (world, left) = (day.world, session.end - day.world.now)
    switch report {
    case .extended:
      session.length += requested.nanoseconds
      current = session
      world.expect(status.length?.nanoseconds == session.length, "the session is extended by another time")
    case .over: world.expect(left <= .ms(1), "the session is over \(left.shown) early")
    case .running, .alert, .countdown, .paused: break
    }
  }

  func check(_ onAir: Spans, _ world: World) {
    for session in all where session.isSure {
      let late = Spans([(session.end + .s(1))..<max(session.end + .s(1), session.closedAt ?? world.now)])
      for range in onAir.intersection(late).ranges {
        world.expect(false, "a session that was over at \(session.end.shown) goes on: \(range.shown)")
      }
    }
  }
}
