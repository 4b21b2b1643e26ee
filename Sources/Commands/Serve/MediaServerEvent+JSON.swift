import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform

extension MediaServer.Event {
  /// One line of JSON: `at`, `event`, then its details.
  var json: String {
    let time = JSONValue.Field("at", .text(WallTime.now.rfc3339))
    return JSONValue.object([time] + fields.map { JSONValue.Field($0.key, $0.value) }).description
  }

  private var fields: KeyValuePairs<String, JSONValue> {
    switch self {
    case .listening(let address, let speaksTLS):
      [
        "event": "listening", "url": .text("\(speaksTLS ? "rtmps" : "rtmp")://\(address)/live"),
        "port": JSONValue(address.split(separator: ":").last.flatMap { Int($0) }),
      ]
    case .publishing(let stream, let type, let peer, let path):
      [
        "event": "publishing", "stream": .text(stream), "publishType": .text(type.rawValue),
        "peer": .text(peer), "path": JSONValue(path),
      ]
    case .arrived(let report):
      [
        "event": "arrived", "stream": .text(report.name), "video": report.video?.json ?? .null,
        "audio": report.audio?.json ?? .null,
      ]
    case .data(let stream, let name, let text):
      ["event": "data", "stream": .text(stream), "name": .text(name), "text": JSONValue(text)]
    case .recorded(let path, let bytes):
      ["event": "recorded", "path": .text(path), "bytes": JSONValue(bytes)]
    case .movedAside(let path, let new):
      ["event": "movedAside", "path": .text(path), "to": .text(new)]
    case .recordingFailed(let path, let reason):
      ["event": "recordingFailed", "path": .text(path), "why": .text(reason)]
    case .ended(let report, let reason):
      [
        "event": "ended", "stream": .text(report.name), "reason": .text("\(reason)"),
        "video": report.video?.json ?? .null, "audio": report.audio?.json ?? .null,
      ]
    case .playing(let stream, let peer):
      ["event": "playing", "stream": .text(stream), "peer": .text(peer)]
    case .skipped(let stream, let peer, let messages):
      ["event": "skipped", "stream": .text(stream), "peer": .text(peer), "messages": JSONValue(messages)]
    case .playerLeft(let stream, let peer):
      ["event": "playerLeft", "stream": .text(stream), "peer": .text(peer)]
    case .refused(let peer, let stream, let refusal):
      [
        "event": "refused", "stream": JSONValue(stream), "peer": .text(peer), "reason": .text("\(refusal)"),
        "why": .text(refusal.rawValue),
      ]
    case .cutOff(let peer, let reason): ["event": "cutOff", "peer": .text(peer), "why": .text(reason)]
    case .certificateRenewed: ["event": "certificateRenewed"]
    case .stopped: ["event": "stopped"]
    }
  }
}

extension TrackReport {
  fileprivate var json: JSONValue {
    [
      "codec": JSONValue(codec?.rawValue), "packets": JSONValue(packets), "keyframes": JSONValue(keyframes),
      "bytes": JSONValue(bytes), "lastMs": .integer(lastTime.ticks(timescale: 1000)),
    ]
  }
}
