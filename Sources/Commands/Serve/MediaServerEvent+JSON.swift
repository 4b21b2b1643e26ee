import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform

extension MediaServer.Event {
  /// One line of JSON: `at`, `event`, then its details.
  var json: String {
    let (name, details) = parts
    return JSONValue.object(
      [.init("at", .text(WallTime.now.rfc3339)), .init("event", .text(name))]
        + details.map { JSONValue.Field($0.key, $0.value) }
    ).description
  }

  private var parts: (name: String, details: KeyValuePairs<String, JSONValue>) {
    switch self {
    case .listening(let address, let speaksTLS):
      let port = address.split(separator: ":").last.flatMap { Int($0) }
      return (
        "listening",
        ["url": .text("\(speaksTLS ? "rtmps" : "rtmp")://\(address)/live"), "port": JSONValue(port)]
      )
    case .publishing(let stream, let type, let peer, let path):
      return (
        "publishing",
        [
          "stream": .text(stream), "publishType": .text(type.rawValue), "peer": .text(peer),
          "path": JSONValue(path),
        ]
      )
    case .arrived(let report):
      return (
        "arrived",
        [
          "stream": .text(report.name), "video": report.video?.json ?? .null,
          "audio": report.audio?.json ?? .null,
        ]
      )
    case .data(let stream, let name, let text):
      return ("data", ["stream": .text(stream), "name": .text(name), "text": JSONValue(text)])
    case .recorded(let path, let bytes):
      return ("recorded", ["path": .text(path), "bytes": JSONValue(bytes)])
    case .movedAside(let path, let new):
      return ("movedAside", ["path": .text(path), "to": .text(new)])
    case .recordingFailed(let path, let reason):
      return ("recordingFailed", ["path": .text(path), "why": .text(reason)])
    case .ended(let report, let reason):
      return (
        "ended",
        [
          "stream": .text(report.name), "reason": .text("\(reason)"), "video": report.video?.json ?? .null,
          "audio": report.audio?.json ?? .null,
        ]
      )
    case .playing(let stream, let peer):
      return ("playing", ["stream": .text(stream), "peer": .text(peer)])
    case .skipped(let stream, let peer, let messages):
      return ("skipped", ["stream": .text(stream), "peer": .text(peer), "messages": JSONValue(messages)])
    case .playerLeft(let stream, let peer):
      return ("playerLeft", ["stream": .text(stream), "peer": .text(peer)])
    case .refused(let peer, let stream, let refusal):
      return (
        "refused",
        [
          "stream": JSONValue(stream), "peer": .text(peer), "reason": .text("\(refusal)"),
          "why": .text(refusal.rawValue),
        ]
      )
    case .cutOff(let peer, let reason): return ("cutOff", ["peer": .text(peer), "why": .text(reason)])
    case .certificateRenewed: return ("certificateRenewed", [:])
    case .stopped: return ("stopped", [:])
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
