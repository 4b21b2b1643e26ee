internal import MediaModel

/// An event as one line of JSON: `at`, `event`, `broadcast`, then what belongs to the event, always in this order.
public struct EventLine: Hashable, Sendable {
  public let at: WallTime
  /// The broadcast's id.
  public let broadcast: String
  public let event: BroadcastEvent

  public init(at: WallTime, broadcast: String, event: BroadcastEvent) {
    self.at = at
    self.broadcast = broadcast
    self.event = event
  }
}

extension EventLine: CustomStringConvertible {
  /// The line without its end.
  public var description: String {
    let (name, details) = parts
    let head: [JSONValue.Field] = [
      .init("at", .text(at.rfc3339)), .init("event", .text(name)), .init("broadcast", .text(broadcast)),
    ]
    return JSONValue.object(head + details).description
  }

  private var parts: (name: String, details: [JSONValue.Field]) {
    switch event {
    case .starting:
      ("starting", [])
    case .live(let publishType):
      ("live", [.init("publishType", .text(publishType.rawValue))])
    case .ended(let reason, let duration, let gaps):
      (
        "ended",
        [
          .init("reason", .text(reason.rawValue)), .init("durationMs", milliseconds(duration)),
          .init("gaps", .integer(Int64(gaps))),
        ]
      )
    case .device(let track, let state, let cause):
      (
        "device",
        [
          .init("track", .text(track.rawValue)), .init("state", .text(state.rawValue)),
          .init("cause", cause.map(JSONValue.text) ?? .null),
        ]
      )
    case .gap(let gap):
      ("gap", details(of: gap))
    case .recording(let path, let state):
      ("recording", [.init("path", .text(path)), .init("state", .text(state.rawValue))])
    }
  }

  private func details(of gap: Gap) -> [JSONValue.Field] {
    var lost: [JSONValue.Field] = []
    if gap.lostVideo > .zero { lost.append(.init("video", milliseconds(gap.lostVideo))) }
    if gap.lostAudio > .zero { lost.append(.init("audio", milliseconds(gap.lostAudio))) }
    return [
      .init("cause", .text(gap.cause.rawValue)), .init("output", gap.output.map(JSONValue.text) ?? .null),
      .init("wallFrom", .text(gap.wallFrom.rfc3339)), .init("wallTo", .text(gap.wallTo.rfc3339)),
      .init("mediaAt", milliseconds(gap.mediaAt)), .init("lostMs", .object(lost)),
    ]
  }

  private func milliseconds(_ time: MediaTime) -> JSONValue {
    .integer(time.ticks(timescale: 1000))
  }
}
