internal import FoundationEssentials
internal import HoldfastMediaModel

/// A line of a journal as it stands in the file: nothing in it is believed yet.
struct JournalLine {
  enum Failure: Error, Hashable {
    /// Not what a journal's line looks like: torn, damaged, or of another file.
    case garbled
    /// Written by a version that knows more than this one.
    case unknown
  }

  private let fields: Fields

  private struct Fields: Decodable {
    let event: String
    let at: String
    let bootNs: Int64
    let boot: String?
    let schema: Int?
    let broadcast: String?
    let name: String?
    let recording: String?
    let tracks: String?
    let publishType: String?
    let output: String?
    let cause: String?
    let resumableUntil: String?
    let mediaNs: Int64?
    let wallFrom: String?
    let wallTo: String?
    let lostVideoNs: Int64?
    let lostPictures: Int?
    let lostAudioNs: Int64?
    let reason: String?
    let verdict: String?
    let elapsedNs: Int64?
    let uncountedNs: Int64?
    let lengthNs: Int64?
    let requests: [Request]?
    let muted: [String]?
  }

  private struct Request: Decodable {
    let id: String
    let byNs: Int64
  }

  init(_ bytes: some Collection<UInt8>, with decoder: JSONDecoder) throws(Failure) {
    do {
      fields = try decoder.decode(Fields.self, from: Data(bytes))
    } catch {
      throw .garbled
    }
  }

  func record() throws(Failure) -> JournalRecord {
    let instant = JournalInstant(
      wall: try wall(fields.at), sinceBoot: try time(fields.bootNs), bootID: fields.boot)
    return JournalRecord(at: instant, try entry())
  }

  private func entry() throws(Failure) -> JournalEntry {
    switch fields.event {
    case "began":
      .began(
        JournalEntry.Beginning(
          broadcast: try needed(fields.broadcast), name: try needed(fields.name), recording: fields.recording,
          tracks: fields.tracks.map(TracksFingerprint.init(text:)), schema: try needed(fields.schema)))
    case "recording":
      .recording(
        path: try needed(fields.recording), tracks: TracksFingerprint(text: try needed(fields.tracks)),
        origin: try origin(fields.mediaNs))
    case "live": .live(try named(fields.publishType))
    case "outputAccepted": .outputAccepted(try needed(fields.output))
    case "interrupted":
      .interrupted(
        cause: try needed(fields.cause), mediaAt: try time(fields.mediaNs),
        resumableUntil: fields.resumableUntil == nil ? nil : try wall(fields.resumableUntil))
    case "resumed": .resumed(mediaAt: try time(fields.mediaNs))
    case "gap": .gap(try gap())
    case "checkpoint": .checkpoint(try time(fields.mediaNs))
    case "session": .session(try session())
    case "muted": .muted(try muted())
    case "gate": .gate(verdict: try needed(fields.verdict), reason: fields.reason)
    case "backgrounded": .backgrounded
    case "ended": .ended(reason: try needed(fields.reason))
    default: throw .unknown
    }
  }

  private func session() throws(Failure) -> JournaledSession {
    var session = JournaledSession(
      elapsed: try time(fields.elapsedNs), uncounted: try time(fields.uncountedNs),
      length: try time(fields.lengthNs))
    for request in try needed(fields.requests) { session.requests[request.id] = try time(request.byNs) }
    return session
  }

  private func muted() throws(Failure) -> Set<TrackKind> {
    var tracks: Set<TrackKind> = []
    for name in try needed(fields.muted) { tracks.insert(try named(name)) }
    return tracks
  }

  private func gap() throws(Failure) -> Gap {
    let pictures = try needed(fields.lostPictures)
    guard (0...Int(Int32.max)).contains(pictures) else { throw .garbled }
    return Gap(
      try named(fields.cause), output: fields.output, wallFrom: try wall(fields.wallFrom),
      wallTo: try wall(fields.wallTo), mediaAt: try time(fields.mediaNs),
      lostVideo: try time(fields.lostVideoNs), lostPictures: pictures, lostAudio: try time(fields.lostAudioNs)
    )
  }

  private func needed<Value>(_ value: Value?) throws(Failure) -> Value {
    guard let value else { throw .garbled }
    return value
  }

  /// A name that isn't known may be one of a later version's.
  private func named<Name: RawRepresentable<String>>(_ text: String?) throws(Failure) -> Name {
    guard let name = Name(rawValue: try needed(text)) else { throw .unknown }
    return name
  }

  private func wall(_ text: String?) throws(Failure) -> WallTime {
    try needed(WallTime(rfc3339: try needed(text)))
  }

  /// Where interruptions are kept, a file's beginning would lie before the broadcast's.
  private func origin(_ nanoseconds: Int64?) throws(Failure) -> MediaTime {
    let nanoseconds = nanoseconds ?? 0
    guard nanoseconds.magnitude <= 1 << 61 else { throw .garbled }
    return MediaTime(nanoseconds: nanoseconds)
  }

  /// Seventy years at the most, so that what is believed can be added up.
  private func time(_ nanoseconds: Int64?) throws(Failure) -> MediaTime {
    let nanoseconds = try needed(nanoseconds)
    guard (0...(1 << 61)).contains(nanoseconds) else { throw .garbled }
    return MediaTime(nanoseconds: nanoseconds)
  }
}
