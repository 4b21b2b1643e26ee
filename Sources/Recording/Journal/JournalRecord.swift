import HoldfastMediaModel

/// A line of a journal: an entry and when it was written.
package struct JournalRecord: Hashable, Sendable, CustomStringConvertible {
  package var instant: JournalInstant
  package var entry: JournalEntry

  package init(at instant: JournalInstant, _ entry: JournalEntry) {
    self.instant = instant
    self.entry = entry
  }

  static let checkpointHead = Array(#"{"event":"checkpoint","#.utf8)

  static let mutedHead = Array(#"{"event":"muted","#.utf8)

  /// JSON without the newline: `event`, `at`, `bootNs`, `boot`, then the other fields of the entry.
  package var description: String {
    let time: KeyValuePairs<String, JSONValue> = [
      "at": Self.wall(instant.wall), "bootNs": Self.time(instant.sinceBoot),
      "boot": JSONValue(instant.bootID),
    ]
    let all = Array(fields.prefix(1)) + Array(time) + fields.dropFirst()
    return JSONValue.object(all.map { JSONValue.Field($0.key, $0.value) }).description
  }

  var line: [UInt8] { Array(description.utf8) + [0x0A] }

  /// `event` is the first.
  private var fields: KeyValuePairs<String, JSONValue> {
    switch entry {
    case .began(let beginning):
      [
        "event": "began", "schema": JSONValue(beginning.schema), "broadcast": .text(beginning.broadcast),
        "name": .text(beginning.name), "recording": JSONValue(beginning.recording),
        "tracks": JSONValue(beginning.tracks),
      ]
    case .recording(let path, let tracks, let origin):
      ["event": "recording", "recording": .text(path), "tracks": .text(tracks), "mediaNs": Self.time(origin)]
    case .live(let type): ["event": "live", "publishType": .text(type.rawValue)]
    case .outputAccepted(let output): ["event": "outputAccepted", "output": .text(output)]
    case .interrupted(let cause, let mediaAt, let until):
      [
        "event": "interrupted", "cause": .text(cause), "mediaNs": Self.time(mediaAt),
        "resumableUntil": Self.wall(until),
      ]
    case .resumed(let mediaAt, let gap):
      ["event": "resumed", "mediaNs": Self.time(mediaAt), "id": JSONValue(gap)]
    case .gap(let gap): Self.fields(of: gap, "gap")
    case .losing(let gap): Self.fields(of: gap, "losing")
    case .checkpoint(let mediaAt, behind: [:]):
      ["event": "checkpoint", "mediaNs": Self.time(mediaAt)]
    case .checkpoint(let mediaAt, let behind):
      ["event": "checkpoint", "mediaNs": Self.time(mediaAt), "behind": Self.behind(behind)]
    case .session(let session):
      [
        "event": "session", "elapsedNs": Self.time(session.elapsed),
        "uncountedNs": Self.time(session.uncounted), "lengthNs": Self.time(session.length),
        "requests": .list(
          session.requests.sorted { $0.key < $1.key }.map {
            ["id": .text($0.key), "byNs": Self.time($0.value)]
          }),
      ]
    case .muted(let tracks):
      ["event": "muted", "muted": .list(tracks.map(\.rawValue).sorted().map(JSONValue.text))]
    case .gate(let verdict, let reason, let person):
      ["event": "gate", "verdict": .text(verdict), "reason": JSONValue(reason), "by": JSONValue(person)]
    case .backgrounded: ["event": "backgrounded"]
    case .ended(let ending):
      [
        "event": "ended", "reason": .text(ending.reason),
        "mediaNs": ending.duration.map(Self.time) ?? .null, "gaps": JSONValue(ending.gaps),
      ]
    case .reported: ["event": "reported"]
    }
  }

  private static func fields(of gap: Gap, _ event: String) -> KeyValuePairs<String, JSONValue> {
    [
      "event": .text(event), "id": JSONValue(gap.id), "cause": .text(gap.cause.rawValue),
      "output": JSONValue(gap.output), "wallFrom": wall(gap.wallFrom), "wallTo": wall(gap.wallTo),
      "mediaNs": time(gap.mediaAt), "lostVideoNs": time(gap.lostVideo),
      "lostPictures": JSONValue(gap.lostPictures), "lostAudioNs": time(gap.lostAudio),
      "extentNs": time(gap.extent), "filled": JSONValue(gap.isFilled), "member": JSONValue(gap.member),
    ]
  }

  private static func wall(_ time: WallTime?) -> JSONValue { JSONValue(time?.rfc3339Nanoseconds) }

  private static func behind(_ outputs: [String: [TrackKind: MediaTime]]) -> JSONValue {
    let fields = outputs.sorted { $0.key < $1.key }.map { output, oldest in
      let times = TrackKind.allCases.compactMap { kind in
        oldest[kind].map { JSONValue.Field(kind.rawValue, time($0)) }
      }
      return JSONValue.Field(output, .object(times))
    }
    return .object(fields)
  }

  private static func time(_ time: MediaTime) -> JSONValue { .integer(time.nanoseconds) }
}
