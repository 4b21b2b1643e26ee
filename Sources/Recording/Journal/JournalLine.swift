import HoldfastMediaModel

/// A line of a journal, as it was read.
struct JournalLine {
  enum Failure: Error, Hashable {
    /// Torn, damaged, or not of a journal.
    case garbled
    /// Written by a later version.
    case unknown
  }

  let record: JournalRecord

  init(_ bytes: some Collection<UInt8>) throws(Failure) {
    guard let json = try? JSONValue(reading: Array(bytes).span) else { throw .garbled }
    let fields = JournalFields(json: json)
    let instant = JournalInstant(
      wall: try fields.wall("at"), sinceBoot: try fields.time("bootNs"),
      bootID: try fields.optional("boot", \.text))
    record = JournalRecord(at: instant, try fields.entry())
  }
}

/// The fields of a line, or of an object in it.
private struct JournalFields {
  typealias Failure = JournalLine.Failure

  let json: JSONValue

  func entry() throws(Failure) -> JournalEntry {
    switch try text("event") {
    case "began":
      .began(
        JournalEntry.Beginning(
          broadcast: try text("broadcast"), name: try text("name"),
          recording: try optional("recording", \.text), tracks: try optional("tracks", \.text),
          schema: try required("schema") { $0.integer.flatMap { Int(exactly: $0) } }))
    case "recording":
      // The origin may be negative, if the file keeps interruptions.
      .recording(
        path: try text("recording"), tracks: try text("tracks"),
        origin: try optional("mediaNs") { $0.length(atLeast: -1 << 61) } ?? .zero)
    case "live": .live(try word("publishType"))
    case "outputAccepted": .outputAccepted(try text("output"))
    case "interrupted":
      .interrupted(
        cause: try text("cause"), mediaAt: try time("mediaNs"),
        resumableUntil: try optional("resumableUntil", \.instant))
    case "resumed": .resumed(mediaAt: try time("mediaNs"), gap: try optional("id", \.smallCount))
    case "gap": .gap(try gap())
    case "losing": .losing(try gap())
    case "checkpoint": .checkpoint(try time("mediaNs"), behind: try behind())
    case "session": .session(try session())
    case "muted": .muted(try muted())
    case "gate":
      .gate(
        verdict: try text("verdict"), reason: try optional("reason", \.text), by: try optional("by", \.text))
    case "backgrounded": .backgrounded
    case "ended":
      .ended(
        JournalEntry.Ending(
          reason: try text("reason"), duration: try optional("mediaNs", \.length),
          gaps: try optional("gaps", \.smallCount) ?? 0))
    case "reported": .reported
    default: throw .unknown
    }
  }

  private func session() throws(Failure) -> JournaledSession {
    var session = JournaledSession(
      elapsed: try time("elapsedNs"), uncounted: try time("uncountedNs"), length: try time("lengthNs"))
    for element in try required("requests", \.elements) {
      let request = JournalFields(json: element)
      session.requests[try request.text("id")] = try request.time("byNs")
    }
    return session
  }

  private func behind() throws(Failure) -> [String: [TrackKind: MediaTime]] {
    guard case .object(let outputs) = try optional("behind", { $0 }) ?? [:] else { throw .garbled }
    var behind: [String: [TrackKind: MediaTime]] = [:]
    for output in outputs {
      let oldest = JournalFields(json: output.value)
      for kind in TrackKind.allCases {
        behind[output.key, default: [:]][kind] = try oldest.optional(kind.rawValue, \.length)
      }
    }
    return behind
  }

  private func muted() throws(Failure) -> Set<TrackKind> {
    var tracks: Set<TrackKind> = []
    for element in try required("muted", \.elements) { tracks.insert(try Self.known(element.text)) }
    return tracks
  }

  private func gap() throws(Failure) -> Gap {
    Gap(
      // Earlier versions wrote no ids.
      try word("cause"), id: try optional("id", \.smallCount) ?? 0, output: try optional("output", \.text),
      wallFrom: try wall("wallFrom"), wallTo: try wall("wallTo"), mediaAt: try time("mediaNs"),
      lostVideo: try time("lostVideoNs"), lostPictures: try required("lostPictures", \.smallCount),
      // Zero in a line of an earlier version, which did not say either whether the gap is filled.
      lostAudio: try time("lostAudioNs"), extent: try optional("extentNs", \.length) ?? .zero,
      isFilled: try optional("filled", \.flag), member: try optional("member", \.text))
  }
}

// MARK: - Values

extension JournalFields {
  /// Nil where it is missing or null.
  func optional<Value>(_ key: String, _ read: (JSONValue) -> Value?) throws(Failure) -> Value? {
    guard let field = json.field(key), field != .null else { return nil }
    guard let value = read(field) else { throw .garbled }
    return value
  }

  private func required<Value>(_ key: String, _ read: (JSONValue) -> Value?) throws(Failure) -> Value {
    guard let value = try optional(key, read) else { throw .garbled }
    return value
  }

  private func text(_ key: String) throws(Failure) -> String { try required(key, \.text) }
  func wall(_ key: String) throws(Failure) -> WallTime { try required(key, \.instant) }
  func time(_ key: String) throws(Failure) -> MediaTime { try required(key, \.length) }

  private func word<Name: RawRepresentable<String>>(_ key: String) throws(Failure) -> Name {
    try Self.known(try text(key))
  }

  /// An unknown name may be one of a later version.
  private static func known<Name: RawRepresentable<String>>(_ text: String?) throws(Failure) -> Name {
    guard let text else { throw .garbled }
    guard let name = Name(rawValue: text) else { throw .unknown }
    return name
  }
}

extension JSONValue {
  fileprivate var instant: WallTime? { text.flatMap { WallTime(rfc3339: $0) } }

  fileprivate var length: MediaTime? { length(atLeast: 0) }

  /// At most seventy years, so that sums do not overflow.
  fileprivate func length(atLeast least: Int64) -> MediaTime? {
    integer.flatMap { (least...1 << 61).contains($0) ? MediaTime(nanoseconds: $0) : nil }
  }

  fileprivate var smallCount: Int? { integer.flatMap { (0...Int64(Int32.max)).contains($0) ? Int($0) : nil } }
}
