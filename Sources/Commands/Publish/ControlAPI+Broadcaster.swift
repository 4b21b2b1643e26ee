internal import Broadcasting
internal import Control
internal import Lifecycle
internal import MediaModel
internal import Platform
internal import Publishing
internal import Recording

extension ControlAPI {
  /// What the control socket gives and takes.
  init(of broadcaster: Broadcaster) {
    self.init(
      status: { broadcaster.statusJSON },
      command: { command in
        let state = broadcaster.state
        if let hint = Self.hint(against: command, in: state) {
          return .notPossible(state: state.name, hint: hint)
        }
        broadcaster.handle(Self.event(of: command))
        return .accepted(state: state.name)
      })
  }

  private static func event(of command: ControlCommand) -> Lifecycle.Event {
    switch command {
    case .start: .startRequested
    case .interrupt: .interruptionBegan(.user)
    case .resume: .interruptionEnded(.user)
    case .background: .wentToBackground
    case .foreground: .becameActive
    case .end: .endRequested
    case .stop: .stopRequested
    }
  }

  /// Why a command would do nothing in this state; nil where it does something.
  private static func hint(against command: ControlCommand, in state: Lifecycle.State) -> String? {
    switch (command, state) {
    case (_, .ended), (_, .ending): "it is over; start holdfast again"
    // In the background, too: the window may have closed over an interruption that lasts.
    case (.resume, .interrupted), (.resume, .backgrounded): nil
    case (.resume, _): "it is not interrupted"
    case (.foreground, .backgrounded): nil
    case (.foreground, _): "it is not in the background"
    case (.start, .live), (.start, .starting), (.start, .interrupted): "it has begun already"
    case (.interrupt, .backgrounded): "it is in the background"
    case (.end, .previewing): "there is no broadcast; ctl stop ends the program"
    default: nil
    }
  }
}

extension Lifecycle.State {
  /// As status and answers write it, a stable interface.
  var name: String {
    switch self {
    case .idle: "idle"
    case .previewing: "previewing"
    case .starting: "starting"
    case .live: "live"
    case .interrupted: "interrupted"
    case .backgrounded: "backgrounded"
    case .ending: "ending"
    case .ended: "ended"
    }
  }
}

extension Broadcaster {
  /// How it is doing, for whoever asks.
  var statusJSON: String {
    let snapshot = snapshot
    var fields: [JSONValue.Field] = [
      .init("state", .text(state.name)), .init("broadcast", broadcastID.map(JSONValue.text) ?? .null),
    ]
    if case .interrupted(let cause, let until) = state {
      fields.append(.init("cause", .text(cause.rawValue)))
      let left = max(.zero, until - .now)
      fields.append(.init("resumableMs", .integer(left.ticks(timescale: 1000))))
    }
    fields += [
      .init("mediaTimeMs", .integer(snapshot.mediaTime.ticks(timescale: 1000))),
      .init("framesPerSecond", .number(snapshot.framesPerSecond)),
      .init("bps", .integer(Int64(snapshot.bitsPerSecond))),
      .init("droppedFrames", .integer(Int64(snapshot.droppedFrames))),
      .init("recordedBytes", .integer(snapshot.recordedBytes)),
      .init("disk", snapshot.disk.map { .text($0.name) } ?? .null),
      .init("recordQueueMs", .integer(snapshot.recordQueue.ticks(timescale: 1000))),
      .init("outputs", JSONValue.list(snapshot.outputs.map(\.json))),
    ]
    return JSONValue.object(fields).description
  }
}

extension OutputStatus {
  fileprivate var json: JSONValue {
    .object([
      .init("id", .text(id)), .init("state", .text(figures.condition.state.rawValue)),
      .init("cause", figures.condition.cause.map { .text($0.name) } ?? .null),
      .init("queuedMs", .integer(figures.queued.ticks(timescale: 1000))),
      .init("bytesSent", .integer(figures.bytesSent)),
      .init("roundTripMs", figures.roundTrip.map { .integer($0.ticks(timescale: 1000)) } ?? .null),
      .init("lostMs", .integer(figures.lost.ticks(timescale: 1000))),
    ])
  }
}
