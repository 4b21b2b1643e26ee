import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// The arguments of a command with few options.
struct Words {
  private let command: String
  private let options: [String]
  private var rest: ArraySlice<String>

  init(_ words: [String], of command: String, options: [String]) {
    self.command = command
    self.options = options
    rest = words[...]
  }

  /// The next argument; what begins with a dash must be one of `options`.
  mutating func next() throws(Refusal) -> String? {
    guard let word = rest.popFirst() else { return nil }
    guard !word.hasPrefix("-") || options.contains(word) else {
      throw Refusal(
        .usage, unknown: shown(word), name: word, kind: "option", among: options + ["--help"],
        see: "holdfast help \(command)")
    }
    return word
  }

  mutating func value(of option: String, as placeholder: String) throws(Refusal) -> String {
    guard let text = rest.popFirst() else {
      throw Refusal(.usage, option, "its value is missing", "write \(option) \(placeholder)")
    }
    return text
  }

  mutating func file(of option: String) throws(Refusal) -> String {
    if rest.first?.isEmpty == true { rest = [] }
    return try value(of: option, as: "FILE")
  }
}

extension Refusal {
  /// Why the recording at `path` can't be used.
  init(_ error: any Error, of path: String) {
    switch error {
    case let error as RecordingFileError: self.init(error)
    case let error as SystemError where error.isNotFound || error.isWrongKind:
      self.init(.notFound, path, "\(error)", "see whether the name is right")
    case let error as SystemError where error.isOutOfSpace:
      self.init(.disk, path, "\(error)", "make room, or choose another --output")
    case let error as SystemError: self.init(.system, path, "\(error)", "see to its rights")
    default: self.init(.damaged, path, "\(error)", "see holdfast help repair")
    }
  }

  init(_ error: RecordingFileError) {
    let status: ExitStatus =
      switch error.kind {
      case .notFound: .notFound
      case .unusable: .damaged
      case .misuse: .usage
      case .disk: .disk
      case .cancelled, .system: .system
      }
    self.init(status, error.what, error.why, error.hint)
  }
}

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
    case .none: "no index, as it was not finished"
    case .right(let entries): "an index of \(entries) entries"
    case .wrong(let why): "a wrong index (\(why))"
    }
  }
}

extension RecordingInspection.Index {
  var json: JSONValue {
    switch self {
    case .none: ["state": "none", "entries": .integer(0), "why": .null]
    case .right(let entries): ["state": "right", "entries": JSONValue(entries), "why": .null]
    case .wrong(let why): ["state": "wrong", "entries": .integer(0), "why": .text(why)]
    }
  }
}
