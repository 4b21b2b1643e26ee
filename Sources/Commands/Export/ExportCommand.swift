import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording

/// `holdfast export RECORDING... --output OUT`
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "make one ordinary file of a recording"
  static let help = """
    Usage: holdfast export RECORDING [PART]... --output OUT.mp4|OUT.mkv [OPTION]...

    Makes one file that plays everywhere out of a recording, also of one that was
    not finished or has a torn end. A recording of several parts (NAME-…Z.mp4,
    NAME-…Z-2.mp4) is joined, in the order in which they are named. Nothing that
    was recorded is encoded anew, and the recording itself is never changed.

    \(HelpText.table(options))

    Gaps and their causes are taken from the journal of the broadcast. Without one,
    only those are known that are holes in the file.

    Exit status: 0 exported, 64 wrong use (or OUT is there already), 65 nothing
    usable in it, 66 no such file, 74 the disk is full or fails.
    """

  private static let options = [
    Flag("--output", "FILE", help: "where to; .mp4 or .mkv, and not there yet"),
    Flag(
      "--gaps", "close|keep",
      help: "close gaps up, or keep them as black and silence of the length that they had on the wall [close]"
    ),
    Flag("--chapters", "on|off", help: "a chapter for each gap, with time and cause [on]"),
    Flag("--captions", "FILE", help: "write captions (WebVTT) that tell the gaps' causes"),
    Flag("--journal", "FILE", help: "the broadcast's journal [the one of the recording's name]"),
  ]

  private static let onOrOff = ValueKind(
    "on|off", what: "neither on nor off", hint: "choose one of them",
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
      throw Refusal(.usage, shown(twice), "given twice", "name each part once")
    }
    let output = try arguments.requiredValue(of: "--output", .path)
    guard let end = output.split(separator: ".").last, output.contains("."),
      let container = Export.Container(rawValue: end.lowercased())
    else {
      throw Refusal(.usage, "--output \(shown(output))", "neither .mp4 nor .mkv", "give it one of these ends")
    }
    var request = Export.Request(
      parts: parts, output: output, container: container, environment: environment)
    request.captions = try arguments.value(of: "--captions", .path)
    request.journal = try arguments.value(of: "--journal", .path)
    guard request.captions != output else {
      throw Refusal(
        .usage, "--captions \(shown(output))", "the same file as --output", "give it another name")
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
      throw Refusal(.system, "export", "\(error)", "see whether the machine is out of files or threads")
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
