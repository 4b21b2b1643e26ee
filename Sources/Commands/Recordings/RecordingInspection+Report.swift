import HoldfastMP4
import HoldfastMediaModel

extension TrackSurvey {
  var name: String { kind?.rawValue ?? "track \(track.id)" }

  var extent: String {
    "\(samples) samples from \(start.map { "\($0)" } ?? "–") to \(end.map { "\($0)" } ?? "–")"
  }

  var json: JSONValue {
    [
      "track": .text(name), "codec": .text(codec), "samples": JSONValue(samples),
      "keyframes": JSONValue(keyframes), "bytes": JSONValue(bytes), "start": JSONValue(start),
      "end": JSONValue(end), "usualLength": JSONValue(usualLength), "stepsBack": JSONValue(stepsBack),
      "holeCount": JSONValue(holeCount), "missing": JSONValue(missing),
      "holes": .list(
        holes.map { ["at": JSONValue($0.at), "end": JSONValue($0.end), "missing": JSONValue($0.length)] }),
    ]
  }
}

extension RecordingDamage {
  var json: JSONValue {
    [
      "kind": .text(kind.rawValue), "from": JSONValue(bytes.lowerBound), "to": JSONValue(bytes.upperBound),
      "missing": .list(
        missing.map {
          [
            "track": JSONValue($0.track?.rawValue), "from": JSONValue($0.from), "to": JSONValue($0.to),
            "samples": JSONValue($0.samples),
          ]
        }),
    ]
  }
}

extension RecordingInspection {
  var indexText: String {
    switch index {
    case .none: "no index (unfinished)"
    case .right(let entries): "an index of \(entries) entries"
    case .wrong(let reason): "an invalid index (\(reason))"
    }
  }
}

extension RecordingInspection.Index {
  var json: JSONValue {
    switch self {
    case .none: ["state": "none", "entries": .integer(0), "why": .null]
    case .right(let entries): ["state": "right", "entries": JSONValue(entries), "why": .null]
    case .wrong(let reason): ["state": "wrong", "entries": .integer(0), "why": .text(reason)]
    }
  }
}
