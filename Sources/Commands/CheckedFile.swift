internal import HoldfastMP4
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastRecording

/// What the commands that look at recordings have in common.
enum CheckedFile {
  static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Refusal) -> String {
    guard let text = rest.popFirst(), !text.isEmpty else {
      throw Refusal(.usage, option, "its value is missing", "write \(option) FILE")
    }
    return text
  }

  static func refusal(_ error: any Error, _ path: String) -> Refusal {
    guard let system = error as? SystemError else {
      return Refusal(.damaged, path, "\(error)", "see holdfast help repair")
    }
    if system.isNotFound || system.isWrongKind {
      return Refusal(.notFound, path, "\(system)", "see whether the name is right")
    }
    if system.isForWantOfRoom {
      return Refusal(.disk, path, "\(system)", "make room, or choose another --output")
    }
    return Refusal(.system, path, "\(system)", "see to its rights")
  }
}

extension TrackSurvey {
  var name: String { kind?.rawValue ?? "track \(track.id)" }

  var extent: String {
    "\(samples) samples from \(start.map { "\($0)" } ?? "–") to \(end.map { "\($0)" } ?? "–")"
  }

  var json: JSONValue {
    func time(_ time: MediaTime?) -> JSONValue { time.map { .number($0.seconds) } ?? .null }
    return .object([
      .init("track", .text(name)), .init("codec", .text(codec)), .init("samples", .integer(Int64(samples))),
      .init("keyframes", .integer(Int64(keyframes))), .init("bytes", .integer(Int64(bytes))),
      .init("start", time(start)), .init("end", time(end)), .init("usualLength", time(usualLength)),
      .init("stepsBack", .integer(Int64(stepsBack))), .init("holeCount", .integer(Int64(holeCount))),
      .init("missing", time(missing)), .init("holes", .list(holes.map(\.json))),
    ])
  }
}

extension TrackSurvey.Hole {
  fileprivate var json: JSONValue {
    .object([
      .init("at", .number(at.seconds)), .init("end", .number(end.seconds)),
      .init("missing", .number(length.seconds)),
    ])
  }
}

extension RecordingDamage {
  var json: JSONValue {
    .object([
      .init("kind", .text(kind.rawValue)), .init("from", .integer(Int64(bytes.lowerBound))),
      .init("to", .integer(Int64(bytes.upperBound))), .init("missing", .list(missing.map(\.json))),
    ])
  }
}

extension RecordingDamage.Missing {
  fileprivate var json: JSONValue {
    .object([
      .init("track", track.map { .text($0.rawValue) } ?? .null), .init("from", .number(from.seconds)),
      .init("to", to.map { .number($0.seconds) } ?? .null),
      .init("samples", samples.map { .integer(Int64($0)) } ?? .null),
    ])
  }
}

extension RecordingInspection {
  var indexText: String {
    switch index {
    case .none: "no index, as it was not finished"
    case .right(let entries): "an index of \(entries) entries"
    case .wrong(let why): "a wrong index (\(why))"
    }
  }
}

extension RecordingInspection.Index {
  var json: JSONValue {
    switch self {
    case .none: .object([.init("state", "none"), .init("entries", .integer(0)), .init("why", .null)])
    case .right(let entries):
      .object([.init("state", "right"), .init("entries", .integer(Int64(entries))), .init("why", .null)])
    case .wrong(let why):
      .object([.init("state", "wrong"), .init("entries", .integer(0)), .init("why", .text(why))])
    }
  }
}
