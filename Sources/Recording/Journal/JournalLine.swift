import FoundationEssentials
import HoldfastMediaModel

struct JournalLine: Decodable {
  enum Failure: Error, Hashable {
    /// Torn, damaged, or not of a journal.
    case garbled
    /// Written by a later version.
    case unknown
  }

  fileprivate enum Key: String, CodingKey {
    case event, at, bootNs, boot, schema, broadcast, name, recording, tracks, publishType, output, cause
    case resumableUntil, mediaNs, wallFrom, wallTo, lostVideoNs, lostPictures, lostAudioNs, extentNs, reason
    case verdict, by, id, elapsedNs, uncountedNs, lengthNs, requests, muted, behind, gaps, filled, member
  }

  private struct Request: Decodable {
    let id: String
    let byNs: Int64
  }

  private struct Behind: Decodable {
    let video: Int64?
    let audio: Int64?
  }

  let record: JournalRecord

  init(_ bytes: some Collection<UInt8>, with decoder: JSONDecoder) throws(Failure) {
    do {
      self = try decoder.decode(JournalLine.self, from: Data(bytes))
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .garbled
    }
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    let instant = JournalInstant(
      wall: try fields.wall(.at), sinceBoot: try fields.time(.bootNs), bootID: try fields.textIfPresent(.boot)
    )
    record = JournalRecord(at: instant, try Self.entry(fields))
  }

  private static func entry(_ fields: KeyedDecodingContainer<Key>) throws -> JournalEntry {
    switch try fields.text(.event) {
    case "began":
      .began(
        JournalEntry.Beginning(
          broadcast: try fields.text(.broadcast), name: try fields.text(.name),
          recording: try fields.textIfPresent(.recording), tracks: try fields.textIfPresent(.tracks),
          schema: try fields.decode(Int.self, forKey: .schema)))
    case "recording":
      .recording(
        path: try fields.text(.recording), tracks: try fields.text(.tracks),
        origin: try fields.origin(.mediaNs))
    case "live": .live(try fields.named(.publishType))
    case "outputAccepted": .outputAccepted(try fields.text(.output))
    case "interrupted":
      .interrupted(
        cause: try fields.text(.cause), mediaAt: try fields.time(.mediaNs),
        resumableUntil: try fields.textIfPresent(.resumableUntil).map { _ in try fields.wall(.resumableUntil)
        })
    case "resumed": .resumed(mediaAt: try fields.time(.mediaNs), gap: try count(fields, .id))
    case "gap": .gap(try gap(fields))
    case "losing": .losing(try gap(fields))
    case "checkpoint": .checkpoint(try fields.time(.mediaNs), behind: try behind(fields))
    case "session": .session(try session(fields))
    case "muted": .muted(Set(try fields.decode([String].self, forKey: .muted).map { try known($0) }))
    case "gate":
      .gate(
        verdict: try fields.text(.verdict), reason: try fields.textIfPresent(.reason),
        by: try fields.textIfPresent(.by))
    case "backgrounded": .backgrounded
    case "ended":
      .ended(
        JournalEntry.Ending(
          reason: try fields.text(.reason),
          duration: try fields.decodeIfPresent(Int64.self, forKey: .mediaNs).map { try time($0, atLeast: 0) },
          gaps: try count(fields, .gaps) ?? 0))
    case "reported": .reported
    default: throw Failure.unknown
    }
  }

  private static func session(_ fields: KeyedDecodingContainer<Key>) throws -> JournaledSession {
    var session = JournaledSession(
      elapsed: try fields.time(.elapsedNs), uncounted: try fields.time(.uncountedNs),
      length: try fields.time(.lengthNs))
    for request in try fields.decode([Request].self, forKey: .requests) {
      session.requests[request.id] = try time(request.byNs, atLeast: 0)
    }
    return session
  }

  private static func behind(
    _ fields: KeyedDecodingContainer<Key>
  ) throws -> [String: [TrackKind: MediaTime]] {
    let outputs = try fields.decodeIfPresent([String: Behind].self, forKey: .behind) ?? [:]
    return try outputs.mapValues { oldest in
      var times: [TrackKind: MediaTime] = [:]
      times[.video] = try oldest.video.map { try time($0, atLeast: 0) }
      times[.audio] = try oldest.audio.map { try time($0, atLeast: 0) }
      return times
    }
  }

  private static func gap(_ fields: KeyedDecodingContainer<Key>) throws -> Gap {
    // Earlier versions wrote no ids.
    let (id, pictures) = (try count(fields, .id) ?? 0, try count(fields, .lostPictures))
    guard let pictures else { throw Failure.garbled }
    return Gap(
      try fields.named(.cause), id: id, output: try fields.textIfPresent(.output),
      wallFrom: try fields.wall(.wallFrom), wallTo: try fields.wall(.wallTo),
      mediaAt: try fields.time(.mediaNs), lostVideo: try fields.time(.lostVideoNs), lostPictures: pictures,
      lostAudio: try fields.time(.lostAudioNs), extent: try fields.timeIfPresent(.extentNs),
      // Earlier versions did not say.
      isFilled: try fields.decodeIfPresent(Bool.self, forKey: .filled),
      member: try fields.textIfPresent(.member))
  }

  private static func count(_ fields: KeyedDecodingContainer<Key>, _ key: Key) throws -> Int? {
    let count = try fields.decodeIfPresent(Int.self, forKey: key)
    guard (0...Int(Int32.max)).contains(count ?? 0) else { throw Failure.garbled }
    return count
  }

  /// An unknown name may be one of a later version.
  fileprivate static func known<Name: RawRepresentable<String>>(_ text: String) throws -> Name {
    guard let name = Name(rawValue: text) else { throw Failure.unknown }
    return name
  }

  /// At most seventy years, so that sums do not overflow.
  fileprivate static func time(_ nanoseconds: Int64, atLeast least: Int64) throws -> MediaTime {
    guard (least...1 << 61).contains(nanoseconds) else { throw Failure.garbled }
    return MediaTime(nanoseconds: nanoseconds)
  }
}

extension KeyedDecodingContainer<JournalLine.Key> {
  fileprivate func text(_ key: Key) throws -> String { try decode(String.self, forKey: key) }

  fileprivate func textIfPresent(_ key: Key) throws -> String? {
    try decodeIfPresent(String.self, forKey: key)
  }

  fileprivate func named<Name: RawRepresentable<String>>(_ key: Key) throws -> Name {
    try JournalLine.known(try text(key))
  }

  fileprivate func wall(_ key: Key) throws -> WallTime {
    guard let time = WallTime(rfc3339: try text(key)) else { throw JournalLine.Failure.garbled }
    return time
  }

  fileprivate func time(_ key: Key) throws -> MediaTime {
    try JournalLine.time(try decode(Int64.self, forKey: key), atLeast: 0)
  }

  /// Zero in a line of an earlier version.
  fileprivate func timeIfPresent(_ key: Key) throws -> MediaTime {
    try JournalLine.time(try decodeIfPresent(Int64.self, forKey: key) ?? 0, atLeast: 0)
  }

  /// May be negative, if the file keeps interruptions.
  fileprivate func origin(_ key: Key) throws -> MediaTime {
    try JournalLine.time(try decodeIfPresent(Int64.self, forKey: key) ?? 0, atLeast: -1 << 61)
  }
}
