import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPostproduction
import HoldfastRecording

/// `holdfast verify RECORDING…`
struct VerifyCommand: Command {
  static let name = "verify"
  static let summary = "check recordings for damage"
  static let help = """
    Usage: holdfast verify RECORDING... [OPTION]...

    Reads recordings, even while they are being written, and changes nothing. Checks
    that every part is intact, times increase, video and audio start and end
    together, and the index is correct; with the broadcast's journal, that only the
    gaps in the journal are missing; and in a recording of the test picture, that
    every picture is there once, in order and in sync.

    \(HelpText.table(options))

    Exit status: 0 no damage, 65 a recording is damaged, 66 a file was not found.
    """

  private static let options = [
    Flag("--json", help: "print JSON, one line per recording"),
    Flag("--journal", "FILE", help: "journal of the broadcast [found by the recording's name]"),
    Flag("--marks", "WHEN", help: "read the test picture's marks: off, auto, require [auto]"),
  ]

  let paths: [String]
  let asJSON: Bool
  let journal: String?
  let marks: RecordingVerification.MarkReading
  private let environment: [String: String]

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    self.environment = environment
    let arguments = try Arguments(words, of: Self.name, options: Self.options, operands: .accepted)
    paths = arguments.operands
    asJSON = try arguments.isOn("--json")
    journal = try arguments.value(of: "--journal", .path)
    marks =
      try arguments.value(of: "--marks", .choice("WHEN", of: RecordingVerification.MarkReading.allCases))
      ?? .auto
    guard !paths.isEmpty, !paths.contains("") else {
      throw Refusal(.usage, "verify", "no recording", "write holdfast verify RECORDING")
    }
    guard journal == nil || paths.count == 1 else {
      throw Refusal(.usage, "--journal", "more than one recording", "verify them one at a time")
    }
  }

  func run() throws(Refusal) -> Int32 {
    var failures: [Refusal] = []
    var damaged: [String] = []
    for path in paths {
      do {
        let found = try RecordingVerification(
          path: path, journal: journal, marks: marks, environment: environment)
        printOutput(asJSON ? found.json.description : found.table)
        if !found.defects.isEmpty { damaged.append(path) }
      } catch {
        let refusal = self.refusal(error, path)
        if paths.count == 1 { throw refusal }
        Terminal().print("holdfast: \(refusal)", .error)
        failures.append(refusal)
      }
    }
    if !asJSON { printOutput(verdict(damaged, failures.count)) }
    if let first = failures.first { return first.status.rawValue }
    return (damaged.isEmpty ? ExitStatus.success : .damaged).rawValue
  }

  private func refusal(_ error: any Error, _ path: String) -> Refusal {
    guard let system = error as? SystemError, let journal, !fileExists(journal), fileExists(path) else {
      return Refusal(error, of: path)
    }
    return Refusal(.notFound, "--journal", "\(system)", "check the name")
  }

  private func verdict(_ damaged: [String], _ missing: Int) -> String {
    let recordings = paths.count == 1 ? "1 recording" : "\(paths.count) recordings"
    if damaged.isEmpty, missing == 0 { return "\(recordings): fine" }
    let unread = missing > 0 ? ["\(missing) could not be read"] : []
    let broken = damaged.isEmpty ? [] : ["\(damaged.count) damaged: " + damaged.joined(separator: ", ")]
    return "\(recordings): " + (unread + broken).joined(separator: "; ")
  }
}
