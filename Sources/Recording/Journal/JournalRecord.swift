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

  /// JSON without the newline: `event`, `at`, `bootNs`, `boot`, then the fields of the entry.
  package var description: String {
    let (name, details) = parts
    let head: KeyValuePairs<String, JSONValue> = [
      "event": .text(name), "at": Self.wall(instant.wall), "bootNs": Self.time(instant.sinceBoot),
      "boot": JSONValue(instant.bootID),
    ]
    return JSONValue.object((Array(head) + details).map { JSONValue.Field($0.key, $0.value) }).description
  }

  var line: [UInt8] { Array(description.utf8) + [0x0A] }

  private var parts: (name: String, details: KeyValuePairs<String, JSONValue>) {
    switch entry {
    case .began(let beginning):
      (
        "began",
        [
          "schema": JSONValue(beginning.schema), "broadcast": .text(beginning.broadcast),
          "name": .text(beginning.name), "recording": JSONValue(beginning.recording),
          "tracks": JSONValue(beginning.tracks),
        ]
      )
    case .recording(let path, let tracks, let origin):
      ("recording", ["recording": .text(path), "tracks": .text(tracks), "mediaNs": Self.time(origin)])
    case .live(let type): ("live", ["publishType": .text(type.rawValue)])
    case .outputAccepted(let output): ("outputAccepted", ["output": .text(output)])
    case .interrupted(let cause, let mediaAt, let until):
      (
        "interrupted",
        ["cause": .text(cause), "mediaNs": Self.time(mediaAt), "resumableUntil": Self.wall(until)]
      )
    case .resumed(let mediaAt, let gap):
      ("resumed", ["mediaNs": Self.time(mediaAt), "id": JSONValue(gap)])
    case .gap(let gap): ("gap", details(of: gap))
    case .losing(let gap): ("losing", details(of: gap))
    case .checkpoint(let mediaAt, let behind):
      (
        "checkpoint",
        behind.isEmpty
          ? ["mediaNs": Self.time(mediaAt)]
          : ["mediaNs": Self.time(mediaAt), "behind": Self.behind(behind)]
      )
    case .session(let session):
      (
        "session",
        [
          "elapsedNs": Self.time(session.elapsed), "uncountedNs": Self.time(session.uncounted),
          "lengthNs": Self.time(session.length),
          "requests": .list(
            session.requests.sorted { $0.key < $1.key }.map {
              ["id": .text($0.key), "byNs": Self.time($0.value)]
            }),
        ]
      )
    case .muted(let tracks): ("muted", ["muted": .list(tracks.map(\.rawValue).sorted().map(JSONValue.text))])
    case .gate(let verdict, let reason, let person):
      ("gate", ["verdict": .text(verdict), "reason": JSONValue(reason), "by": JSONValue(person)])
    case .backgrounded: ("backgrounded", [:])
    case .ended(let ending):
      (
        "ended",
        [
          "reason": .text(ending.reason), "mediaNs": ending.duration.map(Self.time) ?? .null,
          "gaps": JSONValue(ending.gaps),
        ]
      )
    case .reported: ("reported", [:])
    }
  }

  private func details(of gap: Gap) -> KeyValuePairs<String, JSONValue> {
    [
      "id": JSONValue(gap.id), "cause": .text(gap.cause.rawValue), "output": JSONValue(gap.output),
      "wallFrom": Self.wall(gap.wallFrom), "wallTo": Self.wall(gap.wallTo),
      "mediaNs": Self.time(gap.mediaAt), "lostVideoNs": Self.time(gap.lostVideo),
      "lostPictures": JSONValue(gap.lostPictures), "lostAudioNs": Self.time(gap.lostAudio),
      "extentNs": Self.time(gap.extent), "filled": JSONValue(gap.isFilled),
      "member": JSONValue(gap.member),
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
