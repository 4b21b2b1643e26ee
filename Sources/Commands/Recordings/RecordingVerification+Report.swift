import HoldfastMP4
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPostproduction
import HoldfastRecording

extension RecordingVerification {
  private static let maxLines = 20

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
    let state = (isBeingWritten ? ["being written"] : []) + (inspection.isRepaired ? ["repaired"] : [])
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
          case .notThere: "missing from the recording"
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
    return "\(marks.pictures) pictures, \(marks.missingCount) missing, \(marks.repeated) repeated, "
      + "\(marks.goingBack) out of order, \(marks.unreadable) unreadable, \(marks.beeps) beeps\(offset)"
  }

  // MARK: - JSON

  var json: JSONValue {
    [
      "path": .text(path), "ok": .bool(defects.isEmpty), "bytes": JSONValue(size),
      "beingWritten": .bool(isBeingWritten), "repaired": .bool(inspection?.isRepaired ?? false),
      "fragments": JSONValue(inspection?.fragments),
      "wholeBytes": JSONValue(inspection?.wholeLength), "index": inspection?.index.json ?? .null,
      "frontIndex": inspection?.segmentIndex.json ?? .null,
      "tracks": .list(inspection?.tracks.map(\.json) ?? []),
      "startsApart": JSONValue(inspection?.apart?.starts), "endsApart": JSONValue(inspection?.apart?.ends),
      "damageCount": JSONValue(inspection?.damageCount ?? 0),
      "damages": .list(inspection?.damages.map(\.json) ?? []), "journal": JSONValue(journal?.path),
      "interruptions": gapCheck.map { .list($0.pauses.map(\.json)) } ?? .null,
      "gaps": gapCheck.map { .list($0.gaps.map(\.json)) } ?? .null, "marks": marks?.json ?? .null,
      "defects": .list(defects.map { ["kind": .text($0.kind.rawValue), "text": .text($0.text)] }),
    ]
  }
}

extension GapCheck.Pause {
  fileprivate var json: JSONValue { ["cause": .text(cause), "at": JSONValue(at), "wall": JSONValue(wall)] }
}

extension GapCheck.Found {
  fileprivate var json: JSONValue {
    [
      "cause": .text(gap.cause.rawValue), "at": JSONValue(at), "lostVideo": JSONValue(gap.lostVideo),
      "lostAudio": JSONValue(gap.lostAudio), "filled": JSONValue(gap.isFilled), "found": .text(kind.rawValue),
    ]
  }
}

extension RecordedMarks {
  fileprivate var json: JSONValue {
    let offset: JSONValue? = offset.map {
      ["median": .number($0.median), "least": .number($0.minimum), "most": .number($0.maximum)]
    }
    return [
      "pictures": JSONValue(pictures), "unreadable": JSONValue(unreadable),
      "missing": JSONValue(missingCount),
      "twice": JSONValue(repeated), "backwards": JSONValue(goingBack), "beeps": JSONValue(beeps),
      "offsetMs": offset ?? .null,
    ]
  }
}
