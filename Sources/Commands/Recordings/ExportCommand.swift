import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// `holdfast export RECORDING... --output OUT`
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "turn a recording into one ordinary file"
  static let help = """
    Usage: holdfast export RECORDING [PART]... --output OUT.mp4|OUT.mkv [OPTION]...

    Turns a recording, even an unfinished or truncated one, into one file that plays
    everywhere. Joins a recording of several parts (NAME-…Z.mp4, NAME-…Z-2.mp4) in
    the order given. Recorded media is not re-encoded, and the recording itself is
    never changed.

    \(HelpText.table(options))

    Gaps and their causes are read from the broadcast's journal. Without a journal,
    only gaps that are holes in the file are known.

    Exit status: 0 success, 64 incorrect usage (or OUT already exists), 65 no usable
    content, 66 no such file, 74 disk full or failing.
    """

  private static let options = [
    Flag("--output", "FILE", help: "output file, .mp4 or .mkv; must not exist"),
    Flag(
      "--gaps", "close|keep",
      help: "close gaps up, or keep them as black and silence of their real length [close]"),
    Flag("--chapters", "on|off", help: "add a chapter for each gap, with time and cause [on]"),
    Flag("--captions", "FILE", help: "write WebVTT captions with the causes of gaps"),
    Flag("--journal", "FILE", help: "journal of the broadcast [found by the recording's name]"),
  ]

  private static let onOrOff = ValueKind(
    "on|off", what: "not on or off", hint: "choose one of them",
    parse: { ["on": true, "off": false][$0] }, write: { $0 ? "on" : "off" })

  let request: Export.Request

  init(_ words: [String], environment: [String: String]) throws(Refusal) {
    let arguments = try Arguments(words, of: Self.name, options: Self.options, operands: .accepted)
    let parts = arguments.operands
    guard !parts.isEmpty else {
      throw Refusal(
        .usage, "export", "no recording", "write holdfast export RECORDING --output OUT.mp4")
    }
    if let twice = parts.first(where: { part in parts.count { $0 == part } > 1 }) {
      throw Refusal(.usage, shown(twice), "given twice", "use each part only once")
    }
    let output = try arguments.requiredValue(of: "--output", .path)
    guard let end = output.split(separator: ".").last, output.contains("."),
      let container = Export.Container(rawValue: end.lowercased())
    else {
      throw Refusal(.usage, "--output \(shown(output))", "not a .mp4 or .mkv file", "choose one of them")
    }
    var request = Export.Request(
      parts: parts, output: output, container: container, environment: environment)
    request.captions = try arguments.value(of: "--captions", .path)
    request.journal = try arguments.value(of: "--journal", .path)
    guard request.captions != output else {
      throw Refusal(
        .usage, "--captions \(shown(output))", "the same file as --output", "choose another name")
    }
    request.gaps =
      try arguments.value(of: "--gaps", .choice("close|keep", of: Export.Gaps.allCases)) ?? .close
    request.hasChapters = try arguments.value(of: "--chapters", Self.onOrOff) ?? true
    self.request = request
  }

  func run() throws(Refusal) -> Int32 {
    let console = ExportConsole()
    // Before any other thread, so that none of them gets the signals.
    let interruption: InterruptSignal
    do throws(SystemError) {
      interruption = try InterruptSignal()
    } catch {
      throw Refusal(.system, "export", "\(error)", "check whether the machine is out of files or threads")
    }
    defer { interruption.stop() }
    do throws(RecordingFileError) {
      let export = try Export(request)
      for note in export.notes { console.print(note) }
      let result: Export.Result
      do throws(RecordingFileError) {
        result = try export.run(
          progress: { console.show($0, of: export.expected) }, isCancelled: { interruption.signal != nil })
      } catch {
        console.finish()
        if error.kind == .cancelled, let number = interruption.signal { return 128 + number }
        throw error
      }
      console.finish()
      printOutput(summary(result))
      return ExitStatus.success.rawValue
    } catch {
      throw Refusal(error)
    }
  }

  private func summary(_ result: Export.Result) -> String {
    var gaps = "no gaps"
    if !result.gaps.isEmpty {
      let missing = result.gaps.reduce(MediaTime.zero) { $0 + ($1.length ?? .zero) }
      let count = "\(result.gaps.count) \(result.gaps.count == 1 ? "gap" : "gaps")"
      gaps = "\(count) of \(missing) in all \(request.gaps == .keep ? "kept" : "closed up")"
    }
    let size = Figures.bytes(Int64(result.bytes))
    return "exported \(result.duration) to \(request.output) (\(size)), \(gaps)"
  }
}
