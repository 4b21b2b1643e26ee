import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPostproduction
import HoldfastRecording

/// `holdfast export RECORDING... --output OUT`
struct FileExport: Sendable {
  let request: Export.Request

  private static let onOrOff = ValueKind(
    "on|off", what: "not on or off", hint: "choose one of them",
    parse: { ["on": true, "off": false][$0] }, write: { $0 ? "on" : "off" })

  init(_ arguments: Arguments<Flag>, _ environment: [String: String]) throws(Refusal) {
    let output = try arguments.requiredValue(of: "--output", .path)
    guard let container = Export.Container(ending: output) else {
      throw Refusal(.usage, "--output \(shown(output))", "not a .mp4 or .mkv file", "choose one of them")
    }
    var request = Export.Request(
      parts: arguments.operands, output: output, container: container, environment: environment)
    request.captions = try arguments.value(of: "--captions", .path)
    request.journal = try arguments.journal()
    guard request.captions != output else {
      throw Refusal(.usage, "--captions \(shown(output))", "the same file as --output", "choose another name")
    }
    request.gaps =
      try arguments.value(of: "--gaps", .choice("close|keep", of: Export.Gaps.allCases)) ?? .close
    request.hasChapters = try arguments.value(of: "--chapters", Self.onOrOff) ?? true
    self.request = request
  }

  func run() throws(Refusal) -> Int32 {
    try ExportConsole.run { (console, isCancelled) throws(RecordingFileError) in
      let export = try Export(request)
      for note in export.notes { console.print(note) }
      let result = try export.run(
        progress: { console.show($0, of: export.expected) }, isCancelled: isCancelled)
      console.finish()
      printOutput(summary(result))
      return ExitStatus.success.rawValue
    }
  }

  private func summary(_ result: Export.Result) -> String {
    var gaps = "no gaps"
    if !result.gaps.isEmpty {
      let missing = result.gaps.reduce(MediaTime.zero) { $0 + $1.length }
      let count = "\(result.gaps.count) \(result.gaps.count == 1 ? "gap" : "gaps")"
      gaps = "\(count) of \(missing) in all \(request.gaps == .keep ? "kept" : "closed up")"
    }
    let size = Figures.bytes(Int64(result.bytes))
    return "exported \(result.duration) to \(request.output) (\(size)), \(gaps)"
  }
}

extension RawRepresentable where RawValue == String {
  /// Named after the ending of a file's name; nil for others.
  init?(ending path: String) {
    guard let end = path.split(separator: ".").last, path.contains(".") else { return nil }
    self.init(rawValue: end.lowercased())
  }
}
