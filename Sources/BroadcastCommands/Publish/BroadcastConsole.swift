import HoldfastBroadcasting
import HoldfastCommands
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// Shows a broadcast on standard error and writes its events to a file. On a terminal the last line shows the
/// status; elsewhere a line is printed each minute.
final class BroadcastConsole: Sendable {
  private let terminal = Terminal(isLog: true)
  let events: EventFile?
  /// The last reported state of each output: repeated failures are shown once.
  private let lastShown = Locked<[String: String]>([:])
  private let nextPlainLine = Locked(MonotonicTime.now + plainInterval)

  private static let plainInterval = MediaTime.seconds(60)
  private static let flushLimit = MediaTime.seconds(1)

  /// `events` is the path of the event lines.
  init(events: String?) throws(Refusal) {
    self.events = try events.map { [terminal] (path) throws(Refusal) in
      try EventFile(path) { terminal.print($0, .warning) }
    }
  }

  /// Waits until events and messages are written, for each no longer than the limit.
  func flush() {
    events?.flush(within: Self.flushLimit)
    terminal.flush(within: Self.flushLimit)
  }

  /// Nothing more is shown.
  func close() {
    events?.finish()
    terminal.finish()
  }

  @Sendable func show(_ observation: Broadcast.Observation) {
    switch observation {
    case .event(let line):
      events?.write(line.description)
      if let text = text(for: line.event) { terminal.print(text, line.event.priority) }
    case .note(let text): terminal.print(text, .info)
    case .warning(let text): terminal.print(text, .warning)
    case .offAir(let record):
      let word = record.isBackgrounded ? "foreground" : "resume"
      terminal.print("off air since \(record.since.wall.rfc3339); holdfast ctl \(word)", .warning)
    case .snapshot(let snapshot): show(snapshot)
    }
  }

  func finish(_ outcome: Broadcast.Outcome) {
    terminal.finishStatus()
    if let report = outcome.report {
      terminal.print(report.description)
    } else if outcome.failure == nil {
      terminal.print("the broadcast never went live", .warning)
    }
  }

  private func text(for event: BroadcastEvent) -> String? {
    guard case .output(let report) = event else { return event.textForPeople }
    let text = report.textForPeople
    let isNew = lastShown.withLock { shown in
      // Between two similar failures there is an attempt that connects.
      guard report.condition.state != .connecting || shown[report.id] == nil else { return false }
      let kind = "\(report.condition.state) \(report.condition.cause?.name ?? "")"
      defer { shown[report.id] = kind }
      return shown[report.id] != kind
    }
    return isNew ? text : nil
  }

  private func show(_ snapshot: Snapshot) {
    if terminal.isInteractive {
      terminal.show(status: StatusLine.text(for: snapshot, columns: terminal.columns - 1))
      return
    }
    let isDue = nextPlainLine.withLock { next in
      guard next <= .now else { return false }
      next = .now + Self.plainInterval
      return true
    }
    if isDue, snapshot.state == .live { terminal.print(StatusLine.plainText(for: snapshot), .info) }
  }
}

extension BroadcastEvent {
  /// Nil if a note or the final lines report it.
  fileprivate var textForPeople: String? {
    switch self {
    case .starting: nil
    case .live: "live"
    case .previewing: "previewing"
    case .interrupted(let cause, _): "interrupted (\(cause.rawValue))"
    case .resumed(_, let gap): "live again after \(gap)"
    case .backgrounded: "in the background"
    case .device, .ending, .ended: nil
    case .track(let track): "\(track.kind.rawValue): the source now sends \(track)"
    case .air(let state): state.textForPeople
    case .output(let report): report.textForPeople
    case .bitrate(let bitsPerSecond, let reason, let rendition):
      (rendition == .main ? "bitrate" : "bitrate of \(rendition)")
        + " \(Figures.rate(Double(bitsPerSecond))): \(reason)"
    case .gap(let gap): "missing\(gap.textForPeople)"
    case .losing(let gap): "still missing\(gap.textForPeople)"
    case .clock(let step):
      "the clock was set \(step < .zero ? "back" : "forward") by \(max(step, .zero - step))"
    case .recording(let path, let state): "recording \(state.rawValue): \(path)"
    case .disk(let state): state.textForPeople
    case .timer(let report, let status): status.textForPeople(report)
    case .gate(let verdict, let reason, let person):
      switch verdict {
      case .asked: "asking the gate"
      case .passed: "the gate passed\(person.map { ": \($0) said ready" } ?? "")"
      case .refused: "the gate refused\(person.map { " (\($0))" } ?? "")\(reason.map { ": \($0)" } ?? "")"
      case .timedOut: "the gate timed out"
      }
    case .mute(let track, let isMuted): "\(track.rawValue) is \(isMuted ? "muted" : "unmuted")"
    case .source(let track, let source): "\(track.rawValue) switched to \(source)"
    case .membership(let event): event.text
    case .programme(let event): event.text
    }
  }
}

extension Gap {
  /// ` at backup: 0:00:12.000 from 0:01:00.000 (network)`
  fileprivate var textForPeople: String {
    let place = member.map { " in tile \($0)" } ?? output.map { " at \($0)" } ?? ""
    return "\(place): \(lost) from \(mediaAt) (\(reason))"
  }
}

extension TimerStatus {
  fileprivate func textForPeople(_ report: SessionTimer.Report) -> String? {
    let left = secondsLeft.map { "\(MediaTime.seconds($0))" } ?? ""
    return switch report {
    case .running: endsAt.map { "time limit \(left), until \($0.rfc3339)" }
    case .extended: endsAt.map { "extended: \(left) left, until \($0.rfc3339)" } ?? "extended to \(left)"
    case .alert: "ending in \(left)"
    case .countdown: nil
    case .paused: "time limit paused"
    case .over: "time limit reached"
    }
  }
}

extension AirState {
  fileprivate var textForPeople: String? {
    switch self {
    case .all: "on air at all outputs"
    case .some: "on air at some of the outputs only"
    case .none: "NOT ON AIR: no output publishes"
    // The state says why.
    case .off: nil
    }
  }
}

extension DiskState {
  fileprivate var textForPeople: String {
    switch self {
    case .writing: "the recording disk accepts data again"
    case .low: "the recording disk is nearly full: free some space"
    case .slow: "the recording disk is slow: new data is queued"
    case .full(let free, let required):
      "the recording disk is full\(free.map { ", with \(Figures.bytes(Int64($0))) free" } ?? ""): "
        + "recording continues when \(Figures.bytes(Int64(required))) are free"
    case .failed: "the recording disk failed (\(cause ?? "unknown reason")): retrying"
    }
  }
}

extension OutputReport {
  /// `rtmp-1 waiting, retry in 0.5 s: no server is listening`
  fileprivate var textForPeople: String? {
    let retry = condition.retryIn.map { $0 == .zero ? ", retry now" : ", retry in \($0)" } ?? ""
    let flags = condition.cause == .failure(.certificate) ? " (--tls-ca, --tls-insecure)" : ""
    let reason = (reason ?? condition.cause?.name).map { ": \($0)\(flags)" } ?? ""
    return "\(id) \(condition.state.rawValue)\(retry)\(reason)"
  }
}
