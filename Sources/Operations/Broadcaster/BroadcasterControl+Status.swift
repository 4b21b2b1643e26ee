import HoldfastBroadcasting
import HoldfastControl
import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording
import HoldfastSessionClient

extension BroadcasterControl {
  package func status() -> JSONValue {
    let snapshot = snapshot
    let state = broadcaster.state
    let summary = history.summary
    var fields: [JSONValue.Field] = [
      .init("name", .text(broadcaster.configuration.name)), .init("state", .text(state.name)),
      .init("onAir", .text(snapshot.air.rawValue)), .init("offAir", offAir),
      .init("broadcast", JSONValue(broadcaster.broadcastID)),
      .init("at", .text(WallTime.now.rfc3339)),
    ]
    if case .interrupted(let cause, let until) = state {
      fields.append(.init("cause", .text(cause.rawValue)))
      fields.append(.init("resumableMs", milliseconds(max(.zero, until - .now))))
    }
    fields += [
      .init("mediaTimeMs", milliseconds(snapshot.mediaTime)),
      .init("framesPerSecond", .number(snapshot.framesPerSecond)),
      .init("bps", .integer(Int64(snapshot.bitsPerSecond))),
      .init("droppedFrames", .integer(Int64(snapshot.droppedPictures))),
      .init("recordedBytes", .integer(snapshot.recordedBytes)),
      .init("disk", JSONValue(snapshot.disk?.name)),
      .init("diskSecondsLeft", diskSecondsLeft(snapshot)),
      .init("recordQueueMs", milliseconds(snapshot.recordQueue)),
      .init("recording", JSONValue(summary.recording)),
      .init("tracks", tracks(snapshot)), .init("renditions", .list(renditions(snapshot))),
      .init("live", liveStream),
      .init("timer", timer), .init("gate", gate),
      .init("programme", programme),
      .init("session", membership.withLock { $0 }?.snapshot?.json(at: .now) ?? .null),
      .init("outputs", .list(outputs(snapshot, summary))),
      .init("losses", .list(snapshot.losing.map(loss))),
      .init("history", .list(summary.history.spans.map(\.json))),
    ]
    return .object(fields)
  }

  /// The process has come back off air, because the user took an earlier one off air.
  private var offAir: JSONValue {
    broadcaster.status.returnedOffAir.map { ["since": .text($0.since.wall.rfc3339), "cause": "user"] }
      ?? .null
  }

  private func milliseconds(_ time: MediaTime) -> JSONValue { .integer(time.ticks(timescale: 1000)) }

  private func tracks(_ snapshot: Snapshot) -> JSONValue {
    let tracks = broadcaster.tracks
    return .object(
      [TrackKind.video, .audio].compactMap { kind in
        tracks[kind].map { track in
          let encoded = snapshot.tracks[kind]
          let fields: [JSONValue.Field] = [
            .init("source", .text(track.source)), .init("muted", .bool(track.isMuted)),
            .init("device", .text(track.device.rawValue)),
            .init("codec", JSONValue(encoded?.codec.rawValue)),
          ]
          let details = kind == .video ? video(encoded, snapshot) : audio(encoded, snapshot)
          return JSONValue.Field(kind.rawValue, .object(fields + details))
        }
      })
  }

  private func video(_ encoded: EncodedTrack?, _ snapshot: Snapshot) -> [JSONValue.Field] {
    var size: PictureSize?
    if case .video(let format)? = encoded?.format { size = format.size }
    return [
      .init("width", JSONValue(size?.width)), .init("height", JSONValue(size?.height)),
      .init("framesPerSecond", .number(snapshot.framesPerSecond)),
      .init("targetBps", JSONValue(encoded?.targetBitrate)),
      .init("bps", JSONValue(encoded.map { Int($0.bitsPerSecond) })),
    ]
  }

  private func audio(_ encoded: EncodedTrack?, _ snapshot: Snapshot) -> [JSONValue.Field] {
    var format: AudioFormat?
    if case .audio(let found)? = encoded?.format { format = found }
    return [
      .init("sampleRate", JSONValue(format?.sampleRate)), .init("channels", JSONValue(format?.channels)),
      .init("levelDb", level(snapshot.audioLevel)), .init("peakDb", level(snapshot.audioPeak)),
      .init("driftPPM", snapshot.driftPPM.map { .number(($0 * 10).rounded() / 10) } ?? .null),
    ]
  }

  private func renditions(_ snapshot: Snapshot) -> [JSONValue] {
    let figures = live.figuresByRendition
    return snapshot.renditions.map { $0.json(viewers: figures[$0.id]?.viewers ?? 0) }
  }

  /// Who watches, and what may be chosen.
  private var liveStream: JSONValue {
    [
      "viewers": .integer(Int64(live.figures.viewers)),
      "renditions": .list(
        live.choices.map { choice in
          [
            "name": .text(choice.name), "width": JSONValue(choice.size.width),
            "height": JSONValue(choice.size.height), "targetBps": JSONValue(choice.bitrate),
          ]
        }),
    ]
  }

  /// At the present rate; null while nothing is recorded.
  private func diskSecondsLeft(_ snapshot: Snapshot) -> JSONValue {
    let rate = snapshot.recordedBitsPerSecond ?? snapshot.bitsPerSecond
    guard let room = snapshot.diskRoom, snapshot.state == .live, rate >= 1 else { return .null }
    return .integer(Int64(min(Double(room) * 8 / rate, 1e12)))
  }

  /// JSON can't represent the level of silence.
  private func level(_ level: Double?) -> JSONValue {
    level.map { .number(max(-120, ($0 * 10).rounded() / 10)) } ?? .null
  }

  private var timer: JSONValue {
    let status = broadcaster.timer
    func seconds(_ time: MediaTime?) -> JSONValue { time.map { .number($0.seconds) } ?? .null }
    return [
      "state": .text(status.state.rawValue),
      "startedAt": JSONValue(status.startedAt?.rfc3339),
      "endsAt": JSONValue(status.endsAt?.rfc3339),
      "secondsLeft": status.secondsLeft.map(JSONValue.integer) ?? .null,
      "maxSeconds": seconds(status.length), "mostSeconds": seconds(status.most),
    ]
  }

  private var gate: JSONValue {
    let status = broadcaster.gateStatus
    return [
      "state": .text(status.state.rawValue), "reason": JSONValue(status.reason),
      "by": JSONValue(status.by), "awaitsReady": .bool(status.awaitsReady),
    ]
  }

  private func loss(_ gap: Gap) -> JSONValue {
    [
      "id": .text("\(gap.id)"), "cause": .text(gap.cause.rawValue), "output": JSONValue(gap.output),
      "wallFrom": .text(gap.wallFrom.rfc3339), "mediaAtMs": milliseconds(gap.mediaAt),
      "lostMs": milliseconds(gap.lost), "member": JSONValue(gap.member),
    ]
  }

  /// All configured outputs; between broadcasts none is open.
  private func outputs(_ snapshot: Snapshot, _ summary: ControlHistory.Summary) -> [JSONValue] {
    let configuration = broadcaster.configuration
    let adaptations = configuration.adaptations
    return configuration.outputSettings.map { output in
      let shown = snapshot.outputs.first { $0.id == output.id }
      let adaptation = shown?.adaptation ?? adaptations[output.id]
      let figures = shown?.figures ?? OutputFigures()
      let retry = figures.condition.retryIn.map { wait in
        max(.zero, wait - (figures.since.map { .now - $0 } ?? .zero))
      }
      let check = checks[output.id]
      return [
        "id": .text(output.id), "url": .text(output.address.redacted),
        "rendition": JSONValue(snapshot.renditions.first { $0.users.contains(output.id) }?.id.description),
        "adaptive": .text(adaptation?.name ?? "off"), "adaptiveWhy": JSONValue(adaptation?.why),
        "state": .text(figures.condition.state.rawValue),
        "cause": JSONValue(figures.condition.cause?.name),
        "why": JSONValue(summary.outputs[output.id]?.reason),
        "retryInMs": retry.map(milliseconds) ?? .null,
        "queuedMs": milliseconds(figures.queued), "bytesSent": .integer(figures.bytesSent),
        "roundTripMs": figures.roundTrip.map(milliseconds) ?? .null, "lostMs": milliseconds(figures.allLost),
        "check": [
          "state": .text(check.state.rawValue), "what": JSONValue(check.what),
          "uploadBps": JSONValue(check.uploadRate.map { Int($0) }),
          "requiredBps": JSONValue(configuration.requiredBitrate(of: output.id)),
        ],
      ]
    }
  }
}

extension OutputAdaptation {
  fileprivate var name: String {
    switch self {
    case .off: "off"
    case .all: "all"
    case .shared: "shared"
    case .own: "own"
    case .dropping: "dropping"
    }
  }

  fileprivate var why: String? {
    switch self {
    case .shared: "its network carries the encode that it shares"
    case .own(let bitrate): "its network carries \(Figures.rate(Double(bitrate)))"
    case .off(let why), .all(let why), .dropping(let why): why
    }
  }
}

extension RenditionStatus {
  fileprivate func json(viewers: Int) -> JSONValue {
    var size: PictureSize?
    if case .video(let format)? = format { size = format.size }
    return [
      "name": .text(id.description), "users": .list(users.map(JSONValue.text)),
      "viewers": .integer(Int64(viewers)),
      "width": JSONValue(size?.width), "height": JSONValue(size?.height),
      "targetBps": JSONValue(targetBitrate), "bps": .integer(Int64(bitsPerSecond)),
    ]
  }
}

extension BroadcastHistory.Span {
  fileprivate var json: JSONValue {
    [
      "kind": .text(kind.rawValue), "from": .text(from.rfc3339), "to": JSONValue(to?.rfc3339),
      "cause": JSONValue(cause), "output": JSONValue(output),
    ]
  }
}
