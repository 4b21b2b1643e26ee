internal import HoldfastMediaModel

/// An entry and when it was written: one line of a journal.
package struct JournalRecord: Hashable, Sendable {
  package var instant: JournalInstant
  package var entry: JournalEntry

  package init(at instant: JournalInstant, _ entry: JournalEntry) {
    self.instant = instant
    self.entry = entry
  }
}

// MARK: - Writing

extension JournalRecord: CustomStringConvertible {
  /// How the line of a checkpoint begins.
  static let checkpointHead = Array(#"{"event":"checkpoint","#.utf8)

  /// And of the tracks that are muted.
  static let mutedHead = Array(#"{"event":"muted","#.utf8)

  /// JSON on one line, without its end: `event`, `at`, `bootNs`, `boot`, then what belongs to the entry.
  package var description: String {
    let (name, details) = parts
    let head: [JSONValue.Field] = [
      .init("event", .text(name)), .init("at", .text(instant.wall.rfc3339Nanoseconds)),
      .init("bootNs", .integer(instant.sinceBoot.nanoseconds)), .init("boot", text(instant.bootID)),
    ]
    return JSONValue.object(head + details).description
  }

  var line: [UInt8] { Array(description.utf8) + [0x0A] }

  private var parts: (name: String, details: [JSONValue.Field]) {
    switch entry {
    case .began(let beginning): ("began", details(of: beginning))
    case .recording(let path, let tracks, let origin):
      (
        "recording",
        [.init("recording", .text(path)), .init("tracks", .text(tracks.text)), time("mediaNs", origin)]
      )
    case .live(let type): ("live", [.init("publishType", .text(type.rawValue))])
    case .outputAccepted(let output): ("outputAccepted", [.init("output", .text(output))])
    case .interrupted(let cause, let mediaAt, let until):
      (
        "interrupted",
        [.init("cause", .text(cause)), time("mediaNs", mediaAt), .init("resumableUntil", text(until))]
      )
    case .resumed(let mediaAt): ("resumed", [time("mediaNs", mediaAt)])
    case .gap(let gap): ("gap", details(of: gap))
    case .checkpoint(let mediaAt): ("checkpoint", [time("mediaNs", mediaAt)])
    case .session(let session): ("session", details(of: session))
    case .muted(let tracks):
      ("muted", [.init("muted", .list(tracks.map(\.rawValue).sorted().map(JSONValue.text)))])
    case .gate(let verdict, let reason):
      ("gate", [.init("verdict", .text(verdict)), .init("reason", text(reason))])
    case .backgrounded: ("backgrounded", [])
    case .ended(let reason): ("ended", [.init("reason", .text(reason))])
    }
  }

  private func details(of beginning: JournalEntry.Beginning) -> [JSONValue.Field] {
    [
      .init("schema", .integer(Int64(beginning.schema))), .init("broadcast", .text(beginning.broadcast)),
      .init("name", .text(beginning.name)), .init("recording", text(beginning.recording)),
      .init("tracks", text(beginning.tracks?.text)),
    ]
  }

  private func details(of session: JournaledSession) -> [JSONValue.Field] {
    let requests = session.requests.sorted { $0.key < $1.key }
    return [
      time("elapsedNs", session.elapsed), time("uncountedNs", session.uncounted),
      time("lengthNs", session.length),
      .init(
        "requests", .list(requests.map { .object([.init("id", .text($0.key)), time("byNs", $0.value)]) })),
    ]
  }

  private func details(of gap: Gap) -> [JSONValue.Field] {
    [
      .init("cause", .text(gap.cause.rawValue)), .init("output", text(gap.output)),
      .init("wallFrom", text(gap.wallFrom)), .init("wallTo", text(gap.wallTo)), time("mediaNs", gap.mediaAt),
      time("lostVideoNs", gap.lostVideo), .init("lostPictures", .integer(Int64(gap.lostPictures))),
      time("lostAudioNs", gap.lostAudio),
    ]
  }

  private func text(_ text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }

  private func text(_ instant: WallTime?) -> JSONValue { text(instant?.rfc3339Nanoseconds) }

  private func time(_ key: String, _ time: MediaTime) -> JSONValue.Field {
    JSONValue.Field(key, .integer(time.nanoseconds))
  }
}
