import HoldfastBroadcasting
import HoldfastCommands
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording

extension ValueKind where Value == String {
  static let eventsPath = text("FILE|-", what: "empty", hint: "use a file name or -")
}

extension ValueKind where Value == SegmentLength {
  static let segmentLength = ValueKind(
    "TIME|SIZE", form: .number, what: "neither a duration nor a size", hint: "write 30m, 1h, 500M or 2G",
    parse: { MediaTime(written: $0).map(Value.duration) ?? ByteCount.read($0).map(Value.size) },
    write: { length in
      switch length {
      case .duration(let time): time.written
      case .size(let bytes): ByteCount.written(bytes)
      }
    })
}

extension ValueKind where Value == BitrateAdaptation {
  static let adaptation = choice(
    "WHEN", form: .textOrBool, of: Value.allCases,
    formerly: ["yes": .always, "on": .always, "1": .always, "no": .never, "off": .never, "0": .never])
}

extension ValueKind where Value == UInt32 {
  static let fileMode = ValueKind(
    "MODE", form: .number, what: "not permissions", hint: "write three digits, such as 640 or 600",
    parse: { $0.utf8.count == 3 ? UInt32($0, radix: 8) : nil }, write: { String($0, radix: 8) })
}

extension ValueKind where Value == PictureSize {
  static let size = ValueKind(
    "WxH", what: "not a size", hint: "write WIDTHxHEIGHT, such as 1280x720",
    parse: { PictureSize($0) }, write: \.description)
}

extension ValueKind where Value == FrameRate {
  static let frameRate = ValueKind(
    "RATE", form: .number, what: "not a frame rate", hint: "write 30, 29.97 or 30000/1001",
    parse: { FrameRate($0) }, write: \.description)
}

extension ValueKind {
  static func source<Medium>(_ forms: [String]) -> ValueKind where Value == SourceSelection<Medium> {
    ValueKind(
      placeholder: "SRC", form: .source,
      read: { (text) throws(InvalidValue) in
        if let problem = Value.problem(ofAddress: text) { throw problem }
        guard let source = Value(text) else { throw .unknownSource(text, among: forms) }
        // Whether it may be `http` is said by another setting.
        if let session = source.stage { _ = try HTTPAddress(session, insecureLAN: true) }
        return source
      }, write: \.description)
  }
}

extension ValueKind where Value == [TileRequest] {
  static let tiles = ValueKind(
    placeholder: "NAME=SRC", form: .tiles,
    read: { (text) throws(InvalidValue) in [try TileRequest(text)] })
}

extension ValueKind where Value == Set<SessionState> {
  static let sessionStates = ValueKind(
    placeholder: "STATES", form: .names,
    read: { (text) throws(InvalidValue) in
      if text == "none" { return [] }
      var states: Value = []
      for name in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let state = SessionState(rawValue: String(name)) else {
          let nearest = NearestMatch.find(String(name), among: SessionState.allCases.map(\.rawValue))
          throw InvalidValue(
            "not lock or inactive",
            hint: nearest.map { "did you mean \($0)?" } ?? "write lock, inactive, lock,inactive or none")
        }
        states.insert(state)
      }
      return states
    },
    write: { $0.isEmpty ? "none" : $0.map(\.rawValue).sorted(by: >).joined(separator: ",") })
}

extension ValueKind where Value == [FolderConfinement.Folder] {
  static let hookFolders = ValueKind(
    "DIRS", form: .names, what: "not a list of absolute paths", hint: "write /srv/hooks or /srv/hooks:ro",
    parse: { text in
      let words = text.split(separator: ",", omittingEmptySubsequences: false)
      guard words.allSatisfy({ $0.hasPrefix("/") }) else { return nil }
      return words.map { word in
        let isReadOnly = word.hasSuffix(":ro")
        return FolderConfinement.Folder(
          path: String(isReadOnly ? word.dropLast(3) : word), isWritable: !isReadOnly)
      }
    },
    write: { $0.isEmpty ? nil : $0.map { $0.path + ($0.isWritable ? "" : ":ro") }.joined(separator: ",") })
}

extension InvalidValue {
  /// The part before the colon is the kind of a source.
  static func unknownSource(_ text: String, among forms: [String]) -> InvalidValue {
    let kind = String(text.prefix { $0 != ":" })
    let kinds = forms.map { String($0.prefix { $0 != ":" }) }
    return InvalidValue(
      noneOf: forms, nearest: kinds.contains(kind) ? nil : NearestMatch.find(kind, among: kinds))
  }
}
