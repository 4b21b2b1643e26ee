import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// `holdfast repair RECORDING`
struct RepairCommand: Command {
  static let name = "repair"
  static let summary = "make a damaged recording whole"
  static let help = """
    Usage: holdfast repair RECORDING [OPTION]...

    Keeps every sample that is whole, before a damage and behind it, adds the index
    that a finished recording has, and says what is lost: which bytes, and of which
    track from when to when. A recording that is whole is left alone. Without an
    option it writes NAME-repaired.mp4 beside the recording.

    \(HelpText.table(options))

    Exit status: 0 repaired, or nothing to repair; 65 nothing of it can be kept.
    """

  private static let options = [
    Flag("--output", "FILE", help: "write this file; it may not be there yet"),
    Flag("--in-place", help: "put the repaired recording in the place of the damaged one"),
    Flag(
      "--like", "OTHER.mp4",
      help: "take the head of this recording of the same settings, where its own is damaged"),
    Flag("--json", help: "as JSON, for programs"),
  ]

  let path: String
  let target: RecordingRepair.Target
  let like: String?
  let asJSON: Bool

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: Self.name, options: Self.options, operands: .accepted)
    asJSON = try arguments.isOn("--json")
    like = try arguments.value(of: "--like", .path)
    switch (try arguments.value(of: "--output", .path), try arguments.isOn("--in-place")) {
    case (nil, false): target = .beside
    case (nil, true): target = .inPlace
    case (let output?, false): target = .file(output)
    case (_?, true):
      throw Refusal(.usage, "--output and --in-place", "two targets", "leave one of them out")
    }
    guard let path = arguments.operands.first, !path.isEmpty else {
      throw Refusal(.usage, "repair", "no recording", "write holdfast repair RECORDING")
    }
    guard arguments.operands.count == 1 else {
      throw Refusal(.usage, "repair", "more than one recording", "name one")
    }
    self.path = path
  }

  func run() throws(Refusal) -> Int32 {
    do {
      let outcome = try RecordingRepair(path: path, target: target, like: like).run()
      printOutput(asJSON ? outcome.json(path).description : outcome.text(path))
      return ExitStatus.success.rawValue
    } catch {
      throw Refusal(error, of: path)
    }
  }
}

extension RecordingRepair.Outcome {
  fileprivate func text(_ path: String) -> String {
    switch self {
    case .notNeeded: return "\(path): whole, nothing to repair"
    case .repaired(let target, let bytes, let found):
      var lines = found.damages.map(\.description)
      if found.damageCount > lines.count { lines.append("and \(found.damageCount - lines.count) more") }
      if lines.isEmpty { lines.append("nothing is lost; \(found.indexText)") }
      for track in found.tracks where track.samples > 0 {
        lines.append("\(track.name): \(track.extent)")
      }
      lines.append("\(path): repaired as \(target), \(bytes) bytes, \(found.keptSamples) samples")
      return lines.joined(separator: "\n")
    }
  }

  fileprivate func json(_ path: String) -> JSONValue {
    let target: [JSONValue.Field]
    let found: RecordingInspection
    switch self {
    case .notNeeded(let inspection): (target, found) = ([.init("repaired", .null)], inspection)
    case .repaired(let path, let bytes, let inspection):
      (target, found) = ([.init("repaired", .text(path)), .init("bytes", JSONValue(bytes))], inspection)
    }
    return .object(
      [.init("path", .text(path))] + target + [
        .init("keptSamples", JSONValue(found.keptSamples)),
        .init("lostSamples", JSONValue(found.lostSamples)),
        .init("damageCount", JSONValue(found.damageCount)),
        .init("damages", .list(found.damages.map(\.json))),
      ])
  }
}
