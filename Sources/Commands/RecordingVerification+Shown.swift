internal import HoldfastMP4
internal import HoldfastMarks
internal import HoldfastMediaModel
internal import HoldfastRecording

extension RecordingVerification {
  private static let maxLines = 20

  /// For people: a line for what it is, one for each track, one for each thing to know.
  var table: String {
    var lines = [head]
    for track in inspection?.tracks ?? [] {
      let holes = track.holeCount == 0 ? "no holes" : "\(track.holeCount) holes, \(track.missing) in all"
      lines.append("  \(track.name)  \(track.codec)  \(track.extent), \(track.keyframes) keyframes, \(holes)")
    }
    if let apart = inspection?.apart {
      lines.append("  the tracks begin \(Self.text(apart.starts)) and end \(Self.text(apart.ends)) apart")
    }
    if let gapCheck { lines += journalLines(gapCheck) }
    if let marks { lines.append("  marks  \(Self.text(marks))") }
    lines += Self.limited(defects.map { "  DEFECT \($0.text)" })
    return lines.joined(separator: "\n")
  }

  private var head: String {
    guard let inspection else { return "\(path): \(size) bytes" }
    let state = isBeingWritten ? ["being written"] : []
    let facts = ["\(size) bytes", "\(inspection.fragments) fragments", inspection.indexText] + state
    return "\(path): " + facts.joined(separator: ", ")
  }

  private func journalLines(_ check: GapCheck) -> [String] {
    var lines = ["  journal  \(journal?.path ?? "")"]
    lines += Self.limited(
      check.pauses.map {
        "  interrupted at \($0.at) for \($0.wall): \(Gap.Cause(rawValue: $0.cause).map { "\($0)" } ?? $0.cause)"
      })
    lines += Self.limited(
      check.gaps.map { found in
        let gap = found.gap
        let what =
          switch found.kind {
          case .hole: "a hole"
          case .filled: "filled with slate or silence"
          case .notThere: "not there"
          }
        return "  gap at \(found.at): \(gap.cause), \(max(gap.lostVideo, gap.lostAudio)) lost, \(what)"
      })
    return lines
  }

  private static func limited(_ lines: [String]) -> [String] {
    guard lines.count > maxLines else { return lines }
    return lines.prefix(maxLines) + ["  and \(lines.count - maxLines) more"]
  }

  private static func text(_ time: MediaTime) -> String { "\(Int(time.milliseconds.rounded())) ms" }

  private static func text(_ marks: RecordedMarks) -> String {
    let offset = marks.offset.map { ", sound after picture \($0)" } ?? ""
    return
      "\(marks.pictures) pictures, \(marks.missingCount) numbers missing, \(marks.repeated) twice, \(marks.goingBack) backwards, \(marks.unreadable) unreadable, \(marks.beeps) beeps\(offset)"
  }

  // MARK: - JSON

  var json: JSONValue {
    .object([
      .init("path", .text(path)), .init("ok", .bool(defects.isEmpty)), .init("bytes", .integer(Int64(size))),
      .init("beingWritten", .bool(isBeingWritten)),
      .init("fragments", inspection.map { .integer(Int64($0.fragments)) } ?? .null),
      .init("wholeBytes", inspection.map { .integer(Int64($0.wholeLength)) } ?? .null),
      .init("index", inspection?.index.json ?? .null),
      .init("frontIndex", inspection?.segmentIndex.json ?? .null),
      .init("tracks", .list(inspection?.tracks.map(\.json) ?? [])),
      .init("startsApart", inspection?.apart.map { .number($0.starts.seconds) } ?? .null),
      .init("endsApart", inspection?.apart.map { .number($0.ends.seconds) } ?? .null),
      .init("damageCount", .integer(Int64(inspection?.damageCount ?? 0))),
      .init("damages", .list(inspection?.damages.map(\.json) ?? [])),
      .init("journal", journal.map { .text($0.path) } ?? .null),
      .init("interruptions", gapCheck.map { .list($0.pauses.map(\.json)) } ?? .null),
      .init("gaps", gapCheck.map { .list($0.gaps.map(\.json)) } ?? .null),
      .init("marks", marks?.json ?? .null),
      .init(
        "defects",
        .list(
          defects.map { .object([.init("kind", .text($0.kind.rawValue)), .init("text", .text($0.text))]) })),
    ])
  }
}

extension GapCheck.Pause {
  fileprivate var json: JSONValue {
    .object([
      .init("cause", .text(cause)), .init("at", .number(at.seconds)), .init("wall", .number(wall.seconds)),
    ])
  }
}

extension GapCheck.Found {
  fileprivate var json: JSONValue {
    .object([
      .init("cause", .text(gap.cause.rawValue)), .init("at", .number(at.seconds)),
      .init("lostVideo", .number(gap.lostVideo.seconds)), .init("lostAudio", .number(gap.lostAudio.seconds)),
      .init("found", .text(kind.rawValue)),
    ])
  }
}

extension RecordedMarks {
  fileprivate var json: JSONValue {
    .object([
      .init("pictures", .integer(Int64(pictures))), .init("unreadable", .integer(Int64(unreadable))),
      .init("missing", .integer(Int64(missingCount))), .init("twice", .integer(Int64(repeated))),
      .init("backwards", .integer(Int64(goingBack))), .init("beeps", .integer(Int64(beeps))),
      .init(
        "offsetMs",
        offset.map {
          .object([
            .init("median", .number($0.median)), .init("least", .number($0.minimum)),
            .init("most", .number($0.maximum)),
          ])
        } ?? .null),
    ])
  }
}
