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

    \(HelpText.table([
      ("--output FILE", "where to; .mp4 or .mkv, and not there yet"),
      ("--gaps close|keep", "close gaps up, or keep them as black and silence of the length that they had on the wall [close]"),
      ("--chapters on|off", "a chapter for each gap, with time and cause [on]"),
      ("--captions FILE", "write captions (WebVTT) that tell the gaps' causes"),
      ("--journal FILE", "the broadcast's journal [the one of the recording's name]"),
      ("--help", "show this help"),
    ]))

    Gaps and their causes are taken from the journal of the broadcast. Without one,
    only those are known that are holes in the file.

    Exit status: 0 exported, 64 wrong use (or OUT is there already), 65 nothing
    usable in it, 66 no such file, 74 the disk is full or fails.
    """

  let request: Export.Request

  private static let options = ["--output", "--gaps", "--chapters", "--captions", "--journal"]

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    var values: [String: String] = [:]
    var parts: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        parts.append(argument)
        continue
      }
      let pieces = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = String(pieces[0])
      guard Self.options.contains(option) else {
        throw Refusal(
          .usage, unknown: shown(option), name: option, kind: "option", among: Self.options + ["--help"],
          see: "holdfast help export")
      }
      guard values[option] == nil else { throw Refusal(.usage, option, "given twice", "keep one of them") }
      guard let value = pieces.count == 2 ? String(pieces[1]) : rest.popFirst(), !value.isEmpty else {
        throw Refusal(.usage, option, "its value is missing", "see holdfast help export")
      }
      values[option] = value
    }
    request = try Self.request(parts, values, environment)
  }

  private static func request(
    _ parts: [String], _ values: [String: String], _ environment: [String: String]
  ) throws(Refusal) -> Export.Request {
    guard !parts.isEmpty else {
      throw Refusal(
        .usage, "export", "no recording", "write holdfast export RECORDING --output OUT.mp4")
    }
    if let twice = parts.first(where: { part in parts.count { $0 == part } > 1 }) {
      throw Refusal(.usage, shown(twice), "given twice", "name each part once")
    }
    guard let output = values["--output"] else {
      throw Refusal(.usage, "--output", "it is missing", "write --output OUT.mp4 or OUT.mkv")
    }
    guard let end = output.split(separator: ".").last, output.contains("."),
      let container = Export.Container(rawValue: end.lowercased())
    else {
      throw Refusal(.usage, "--output \(shown(output))", "neither .mp4 nor .mkv", "give it one of these ends")
    }
    var request = Export.Request(
      parts: parts, output: output, container: container, environment: environment)
    request.captions = values["--captions"]
    request.journal = values["--journal"]
    guard request.captions != output else {
      throw Refusal(
        .usage, "--captions \(shown(output))", "the same file as --output", "give it another name")
    }
    if let text = values["--gaps"] {
      guard let gaps = Export.Gaps(rawValue: text) else {
        throw Refusal(.usage, "--gaps \(shown(text))", "neither close nor keep", "choose one of them")
      }
      request.gaps = gaps
    }
    if let text = values["--chapters"] {
      guard ["on", "off"].contains(text) else {
        throw Refusal(.usage, "--chapters \(shown(text))", "neither on nor off", "choose one of them")
      }
      request.hasChapters = text == "on"
    }
    return request
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
