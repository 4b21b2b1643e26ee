import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

/// An event as one line of JSON: `at`, `event`, `broadcast`, then its details, in fixed order.
package struct EventLine: Hashable, Sendable, CustomStringConvertible {
  package let at: WallTime
  package let broadcast: String
  package let event: BroadcastEvent
  /// An earlier process may have reported it already, before it died.
  package let isRepeated: Bool

  package init(at: WallTime, broadcast: String, event: BroadcastEvent, isRepeated: Bool = false) {
    self.at = at
    self.broadcast = broadcast
    self.event = event
    self.isRepeated = isRepeated
  }

  package var name: String { parts.name }

  /// The line without its terminator.
  package var description: String {
    let (name, details) = parts
    let head: JSONValue = ["at": .text(at.rfc3339), "event": .text(name), "broadcast": .text(broadcast)]
    let tail: JSONValue = isRepeated ? ["repeated": .bool(true)] : [:]
    return JSONValue.joined(head, details, tail).description
  }

  private var parts: (name: String, details: JSONValue) {
    switch event {
    case .starting: ("starting", [:])
    case .live(let publishType): ("live", ["publishType": .text(publishType.rawValue)])
    case .previewing: ("previewing", [:])
    case .interrupted(let cause, let until):
      ("interrupted", ["cause": .text(cause.rawValue), "resumableUntil": .text(until.rfc3339)])
    case .resumed(let publishType, let gap):
      ("resumed", ["publishType": .text(publishType.rawValue), "gapMs": milliseconds(gap)])
    case .backgrounded: ("backgrounded", [:])
    case .ending(let reason): ("ending", ["reason": .text(reason.rawValue)])
    case .air(let state): ("air", ["state": .text(state.rawValue)])
    case .ended(let reason, let duration, let gaps):
      (
        "ended",
        ["reason": .text(reason.rawValue), "durationMs": milliseconds(duration), "gaps": JSONValue(gaps)]
      )
    case .device(let track, let state, let cause):
      ("device", ["track": .text(track.rawValue), "state": .text(state.rawValue), "cause": JSONValue(cause)])
    case .track(let track): ("track", details(of: track))
    case .gap(let gap): ("gap", details(of: gap, end: gap.wallTo))
    case .losing(let gap): ("losing", details(of: gap))
    case .clock(let step): ("clock", ["byMs": milliseconds(step)])
    case .output(let report): ("output", details(of: report))
    case .bitrate(let bitsPerSecond, let reason, let rendition):
      (
        "bitrate",
        ["bps": JSONValue(bitsPerSecond), "why": .text(reason), "rendition": .text("\(rendition)")]
      )
    case .recording(let path, let state):
      ("recording", ["path": .text(path), "state": .text(state.rawValue)])
    case .timer(let report, let status):
      (
        "timer",
        [
          "state": .text(report.rawValue), "startedAt": JSONValue(status.startedAt?.rfc3339),
          "endsAt": JSONValue(status.endsAt?.rfc3339),
          "secondsLeft": status.secondsLeft.map(JSONValue.integer) ?? .null,
        ]
      )
    case .gate(let verdict, let reason, let person):
      ("gate", ["verdict": .text(verdict.rawValue), "reason": JSONValue(reason), "by": JSONValue(person)])
    case .disk(let state): ("disk", details(of: state))
    case .mute(let track, let isMuted):
      ("mute", ["track": .text(track.rawValue), "muted": .bool(isMuted)])
    case .source(let track, let source):
      ("source", ["track": .text(track.rawValue), "source": .text(source)])
    case .membership(let event): (event.name, .object(event.fields))
    case .programme(let event): (event.name, .object(event.fields))
    }
  }

  private func details(of track: Track) -> JSONValue {
    let format: JSONValue =
      switch track.format {
      case .video(let format):
        ["width": JSONValue(format.size.width), "height": JSONValue(format.size.height)]
      case .audio(let format):
        ["sampleRate": JSONValue(format.sampleRate), "channels": JSONValue(format.channels)]
      }
    return .joined(["track": .text(track.kind.rawValue), "codec": .text(track.codec.rawValue)], format)
  }

  private func details(of report: OutputReport) -> JSONValue {
    let (condition, loss) = (report.condition, report.loss)
    return [
      "id": .text(report.id), "url": .text(report.url), "state": .text(condition.state.rawValue),
      "cause": JSONValue(condition.cause?.name), "retryInMs": condition.retryIn.map(milliseconds) ?? .null,
      "lostMs": loss.isEmpty ? .null : lost(video: loss.video, audio: loss.audio),
      "why": JSONValue(report.reason),
    ]
  }

  private func details(of state: DiskState) -> JSONValue {
    let room: (free: Int?, required: Int?) =
      if case .full(let free, let required) = state { (free, required) } else { (nil, nil) }
    return [
      "state": .text(state.name), "cause": JSONValue(state.cause), "freeBytes": JSONValue(room.free),
      "requiredBytes": JSONValue(room.required),
    ]
  }

  private func details(of gap: Gap, end: WallTime? = nil) -> JSONValue {
    .joined(
      [
        "id": .text("\(gap.id)"), "cause": .text(gap.cause.rawValue), "output": JSONValue(gap.output),
        "wallFrom": .text(gap.wallFrom.rfc3339),
      ], end.map { ["wallTo": .text($0.rfc3339)] } ?? [:],
      [
        "mediaAt": milliseconds(gap.mediaAt), "lostMs": lost(video: gap.lostVideo, audio: gap.lostAudio),
        "filled": JSONValue(gap.isFilled),
      ], gap.member.map { ["member": .text($0)] } ?? [:])
  }

  /// By track; tracks without loss are omitted.
  private func lost(video: MediaTime, audio: MediaTime) -> JSONValue {
    .object(
      [("video", video), ("audio", audio)].filter { $0.1 > .zero }.map { .init($0.0, milliseconds($0.1)) })
  }

  private func milliseconds(_ time: MediaTime) -> JSONValue { .integer(time.ticks(timescale: 1000)) }
}

extension JSONValue {
  /// One object with the fields of several.
  fileprivate static func joined(_ objects: JSONValue...) -> JSONValue {
    .object(
      objects.flatMap { object -> [Field] in
        if case .object(let fields) = object { fields } else { [] }
      })
  }
}
