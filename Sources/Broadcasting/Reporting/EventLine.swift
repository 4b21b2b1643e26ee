internal import HoldfastLifecycle
package import HoldfastMediaModel
internal import HoldfastPublishing
internal import HoldfastRecording

/// An event as one line of JSON: `at`, `event`, `broadcast`, then what belongs to the event, always in this order.
package struct EventLine: Hashable, Sendable {
  package let at: WallTime
  /// The broadcast's id.
  package let broadcast: String
  package let event: BroadcastEvent

  package init(at: WallTime, broadcast: String, event: BroadcastEvent) {
    self.at = at
    self.broadcast = broadcast
    self.event = event
  }
}

extension EventLine {
  /// What kind of event it is.
  package var name: String { parts.name }
}

extension EventLine: CustomStringConvertible {
  /// The line without its end.
  package var description: String {
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
    case .previewing: ("previewing", [])
    case .interrupted(let cause, let until):
      (
        "interrupted",
        [.init("cause", .text(cause.rawValue)), .init("resumableUntil", .text(until.rfc3339))]
      )
    case .resumed(let publishType, let gap):
      ("resumed", [.init("publishType", .text(publishType.rawValue)), .init("gapMs", milliseconds(gap))])
    case .backgrounded: ("backgrounded", [])
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
    case .output(let report):
      ("output", details(of: report))
    case .bitrate(let bitsPerSecond, let why):
      ("bitrate", [.init("bps", .integer(Int64(bitsPerSecond))), .init("why", .text(why))])
    case .recording(let path, let state):
      ("recording", [.init("path", .text(path)), .init("state", .text(state.rawValue))])
    case .timer(let news, let status):
      (
        "timer",
        [
          .init("state", .text(news.rawValue)), .init("startedAt", instant(status.startedAt)),
          .init("endsAt", instant(status.endsAt)),
          .init("secondsLeft", status.secondsLeft.map(JSONValue.integer) ?? .null),
        ]
      )
    case .gate(let verdict, let reason):
      (
        "gate",
        [.init("verdict", .text(verdict.rawValue)), .init("reason", reason.map(JSONValue.text) ?? .null)]
      )
    case .disk(let state):
      ("disk", [.init("state", .text(state.name)), .init("cause", state.cause.map(JSONValue.text) ?? .null)])
    case .mute(let track, let isMuted):
      ("mute", [.init("track", .text(track.rawValue)), .init("muted", .bool(isMuted))])
    case .source(let track, let source):
      ("source", [.init("track", .text(track.rawValue)), .init("source", .text(source))])
    }
  }

  private func details(of report: OutputReport) -> [JSONValue.Field] {
    let condition = report.condition
    let loss = report.loss
    return [
      .init("id", .text(report.id)), .init("url", .text(report.url)),
      .init("state", .text(condition.state.rawValue)),
      .init("cause", condition.cause.map { .text($0.name) } ?? .null),
      .init("retryInMs", condition.retryIn.map(milliseconds) ?? .null),
      .init("lostMs", loss.isEmpty ? .null : lost(video: loss.video, audio: loss.audio)),
      .init("why", report.why.map(JSONValue.text) ?? .null),
    ]
  }

  /// By track; a track that lost nothing is left out.
  private func lost(video: MediaTime, audio: MediaTime) -> JSONValue {
    var fields: [JSONValue.Field] = []
    if video > .zero { fields.append(.init("video", milliseconds(video))) }
    if audio > .zero { fields.append(.init("audio", milliseconds(audio))) }
    return .object(fields)
  }

  private func details(of gap: Gap) -> [JSONValue.Field] {
    return [
      .init("cause", .text(gap.cause.rawValue)), .init("output", gap.output.map(JSONValue.text) ?? .null),
      .init("wallFrom", .text(gap.wallFrom.rfc3339)), .init("wallTo", .text(gap.wallTo.rfc3339)),
      .init("mediaAt", milliseconds(gap.mediaAt)),
      .init("lostMs", lost(video: gap.lostVideo, audio: gap.lostAudio)),
    ]
  }

  private func instant(_ instant: WallTime?) -> JSONValue {
    instant.map { .text($0.rfc3339) } ?? .null
  }

  private func milliseconds(_ time: MediaTime) -> JSONValue {
    .integer(time.ticks(timescale: 1000))
  }
}
