internal import HoldfastBroadcasting
internal import HoldfastMediaModel
internal import HoldfastRecording

extension ValueKind where Value == String {
  static let name = ValueKind("NAME", read: { $0 }, write: { $0 })

  static let path = ValueKind(
    "FILE",
    read: { (text) throws(WrongValue) in
      guard !text.isEmpty else { throw WrongValue(why: "no file name", remedy: "name a file") }
      return text
    }, write: { $0 })

  static let hostAndPort = ValueKind(
    "HOST:PORT",
    read: { (text) throws(WrongValue) in
      guard text.contains(":") else {
        throw WrongValue(why: "no host and port", remedy: "write 127.0.0.1:8080, or [::1]:8080")
      }
      return text
    }, write: { $0 })

  static let eventsPath = ValueKind(
    "FILE|-",
    read: { (text) throws(WrongValue) in
      guard !text.isEmpty else { throw WrongValue(why: "no file name", remedy: "name a file or write -") }
      return text
    }, write: { $0 })

  static let command = ValueKind(
    "CMD",
    read: { (text) throws(WrongValue) in
      guard text.contains(where: { !$0.isWhitespace }) else {
        throw WrongValue(why: "no command", remedy: "write what the shell is to run")
      }
      return text
    }, write: { $0 })
}

extension ValueKind where Value == SegmentLength {
  static let segmentLength = ValueKind(
    "TIME|SIZE", form: .number,
    read: { (text) throws(WrongValue) in
      if let time = MediaTime(written: text) { return .duration(time) }
      guard let bytes = ByteCount.read(text) else {
        throw WrongValue(why: "neither a duration nor a size", remedy: "write 30m, 1h, 500M or 2G")
      }
      return .size(bytes)
    },
    write: { length in
      switch length {
      case .duration(let time): time.written
      case .size(let bytes): ByteCount.written(bytes)
      }
    })
}

extension ValueKind where Value == String? {
  static let directoryOrOff = ValueKind(
    "DIR|off",
    read: { (text) throws(WrongValue) in
      guard !text.isEmpty else { throw WrongValue(why: "no folder", remedy: "name a folder or write off") }
      return text == "off" ? nil : text
    }, write: { $0 ?? "off" })
}

extension ValueKind where Value == Bool {
  static let toggle = ValueKind(
    "", form: .toggle,
    read: { (text) throws(WrongValue) in
      switch text {
      case "true", "yes", "on", "1": return true
      case "false", "no", "off", "0": return false
      default: throw WrongValue(why: "neither yes nor no", remedy: "write true or false")
      }
    }, write: { _ in nil })
}

extension ValueKind where Value == MediaTime {
  static let duration = ValueKind(
    "TIME", form: .number,
    read: { (text) throws(WrongValue) in
      guard let time = MediaTime(written: text) else {
        throw WrongValue(why: "not a duration", remedy: "write 90, 1.5s, 250ms, 10m or 2h, at most 8784h")
      }
      return time
    }, write: \.written)
}

extension ValueKind where Value == Int {
  static let bitrate = ValueKind(
    "RATE", form: .number,
    read: { (text) throws(WrongValue) in
      guard let rate = Bitrate.read(text) else {
        throw WrongValue(why: "not a bitrate", remedy: "write 2500k, 2.5M or 128000")
      }
      return rate
    }, write: Bitrate.written)

  static let byteCount = ValueKind(
    "SIZE", form: .number,
    read: { (text) throws(WrongValue) in
      guard let bytes = ByteCount.read(text) else {
        throw WrongValue(why: "not a size", remedy: "write 500M, 50G, 1.5T or a number of bytes")
      }
      return bytes
    }, write: ByteCount.written)
}

extension ValueKind where Value == PictureSize {
  static let size = ValueKind(
    "WxH",
    read: { (text) throws(WrongValue) in
      guard let size = PictureSize(text) else {
        throw WrongValue(why: "not a size", remedy: "write WIDTHxHEIGHT, as 1280x720")
      }
      return size
    }, write: \.description)
}

extension ValueKind where Value == FrameRate {
  static let frameRate = ValueKind(
    "RATE", form: .number,
    read: { (text) throws(WrongValue) in
      guard let rate = FrameRate(text) else {
        throw WrongValue(why: "not a frame rate", remedy: "write 30, 29.97 or 30000/1001")
      }
      return rate
    }, write: \.description)
}

extension ValueKind where Value == VideoSelection {
  static let videoSource = ValueKind(
    "SRC",
    read: { (text) throws(WrongValue) in
      guard let source = VideoSelection(text) else {
        throw .unknownSource(text, among: ["camera", "camera:DEVICE", "test", "file:PATH", "off", "auto"])
      }
      return source
    }, write: \.description)
}

extension ValueKind where Value == AudioSelection {
  static let audioSource = ValueKind(
    "SRC",
    read: { (text) throws(WrongValue) in
      guard let source = AudioSelection(text) else {
        throw .unknownSource(text, among: ["mic", "mic:DEVICE", "tone", "file:PATH", "off", "auto"])
      }
      return source
    }, write: \.description)
}

extension ValueKind where Value == Set<SessionState> {
  static let sessionStates = ValueKind(
    "STATES", form: .names,
    read: { (text) throws(WrongValue) in
      if text == "none" { return [] }
      var states: Value = []
      for name in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let state = SessionState(rawValue: String(name)) else {
          let nearest = NearestMatch.find(String(name), among: SessionState.allCases.map(\.rawValue))
          throw WrongValue(
            why: "neither lock nor inactive",
            remedy: nearest.map { "did you mean \($0)?" } ?? "write lock, inactive, lock,inactive or none")
        }
        states.insert(state)
      }
      return states
    },
    write: { $0.isEmpty ? "none" : $0.map(\.rawValue).sorted(by: >).joined(separator: ",") })
}

extension ValueKind where Value: RawRepresentable & Equatable, Value.RawValue == String {
  /// One of `values`, by its name, or by a name that it had in earlier versions.
  static func choice(
    _ placeholder: String, of values: [Value], formerly former: [String: Value] = [:]
  ) -> ValueKind {
    ValueKind(
      placeholder,
      read: { (text) throws(WrongValue) in
        guard let value = Value(rawValue: text) ?? former[text], values.contains(value) else {
          throw .unknownName(text, among: values.map(\.rawValue))
        }
        return value
      }, write: \.rawValue)
  }
}

extension WrongValue {
  static func unknownName(_ text: String, among names: [String]) -> WrongValue {
    WrongValue(noneOf: names, nearest: NearestMatch.find(text, among: names))
  }

  /// A source is recognised by what stands before its colon.
  static func unknownSource(_ text: String, among forms: [String]) -> WrongValue {
    let kind = String(text.prefix { $0 != ":" })
    let kinds = forms.map { String($0.prefix { $0 != ":" }) }
    return WrongValue(
      noneOf: forms, nearest: kinds.contains(kind) ? nil : NearestMatch.find(kind, among: kinds))
  }

  private init(noneOf names: [String], nearest: String?) {
    why = "none of " + names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    remedy = nearest.map { "did you mean \($0)?" } ?? "choose one of them"
  }
}
