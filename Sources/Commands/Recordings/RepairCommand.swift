import HoldfastMP4
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// `holdfast repair RECORDING`
struct RepairCommand: Command {
  static let name = "repair"
  static let summary = "repair a damaged recording"
  static let help = """
    Usage: holdfast repair RECORDING [OPTION]...

    Keeps every intact sample, before and after the damage, adds the index of a
    finished recording, and reports the losses: the bytes, and the times per track.
    Leaves an intact recording alone. By default writes NAME-repaired.mp4 next to
    the recording.

    \(HelpText.table(options))

    Exit status: 0 repaired, or nothing to repair, 65 nothing can be saved.
    """

  private static let options = [
    Flag("--output", "FILE", help: "write this file; must not exist"),
    Flag("--in-place", help: "replace the damaged recording"),
    Flag(
      "--like", "OTHER.mp4",
      help: "use the header of this recording, made with the same settings, if the header is damaged"),
    Flag("--json", help: "print JSON"),
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
      throw Refusal(.usage, "repair", "more than one recording", "use only one")
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
    case .notNeeded: return "\(path): intact, nothing to repair"
    case .repaired(let target, let bytes, let found):
      var lines = found.damages.map(\.description)
      if found.damageCount > lines.count { lines.append("and \(found.damageCount - lines.count) more") }
      if lines.isEmpty { lines.append("nothing lost; \(found.indexText)") }
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
