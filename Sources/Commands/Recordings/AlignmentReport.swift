import HoldfastMediaModel
import HoldfastPlatform
import HoldfastPostproduction
import HoldfastRecording

/// `holdfast export --align RECORDING...`
struct AlignmentReport: Sendable {
  let request: Alignment.Request
  let editList: String?
  let output: String?
  let container: AlignedExport.Container
  let asJSON: Bool

  init(_ arguments: Arguments<Flag>, _ environment: [String: String]) throws(Refusal) {
    var request = Alignment.Request(arguments.operands, environment: environment)
    request.journals = try arguments.secrets(of: "--journal", .path)
    self.request = request
    editList = try arguments.value(of: "--edl", .path)
    output = try arguments.value(of: "--to", .path)
    asJSON = try arguments.isOn("--json")
    guard let output else {
      container = .mkv
      return
    }
    guard let container = AlignedExport.Container(ending: output) else {
      throw Refusal(.usage, "--to \(shown(output))", "not a .mkv or .mov file", "choose one of them")
    }
    guard output != editList else {
      throw Refusal(.usage, "--edl \(shown(output))", "the same file as --to", "choose another name")
    }
    self.container = container
  }

  func run() throws(Refusal) -> Int32 {
    try ExportConsole.run { (console, isCancelled) throws(RecordingFileError) in
      let alignment = try Alignment(request)
      printOutput(asJSON ? alignment.lines : alignment.table)
      // All that can be refused, before anything is written.
      let lists = try editList.map { (path) throws(RecordingFileError) in try EditLists(alignment, to: path) }
      let export = try output.map { (path) throws(RecordingFileError) in
        try AlignedExport(alignment, to: path, container)
      }
      for note in lists?.notes ?? [] { console.print(note) }
      try lists?.write()
      for path in lists?.paths ?? [] { console.print("wrote \(path)") }
      if let export, let output {
        let result = try export.run(
          progress: { console.show($0, of: export.expected) }, isCancelled: isCancelled)
        console.finish()
        let size = Figures.bytes(Int64(result.bytes))
        console.print("wrote \(output) (\(size)): \(result.tracks) tracks, \(result.duration)")
      }
      for failure in alignment.failures.dropFirst() { console.print("holdfast: \(failure)") }
      if let first = alignment.failures.first { throw first }
      return ExitStatus.success.rawValue
    }
  }
}

extension Alignment {
  /// Recordings without a place are not in it.
  var table: String {
    var lines = recordings.flatMap(lines)
    guard !recordings.isEmpty else { return "no recording has a place on the wall clock" }
    let count = recordings.count == 1 ? "1 recording" : "\(recordings.count) recordings"
    let clocks =
      clockCount == 1
      ? "by one clock" : "by \(clockCount) clocks, and as exact as these were set"
    lines.append("\(count), \(length) in all from \(start.rfc3339), \(clocks)")
    return lines.joined(separator: "\n")
  }

  private func lines(_ recording: AlignedRecording) -> [String] {
    let offset = offset(of: recording)
    var lines = [
      "\(recording.path): \(recording.name), \(recording.length) from \(recording.start.rfc3339), "
        + (offset == .zero ? "the earliest" : "\(offset) after the earliest")
    ]
    for piece in recording.pieces {
      if let standstill = piece.standstill { lines.append("  \(standstill.text)") }
      lines.append("  \(piece.file.lowerBound) to \(piece.file.upperBound) at \(piece.wall - start)")
    }
    for step in recording.clockSteps {
      lines.append("  the clock was set by \(step.by) at \(step.at.rfc3339); all times are by the new one")
    }
    if !recording.isExact {
      lines.append("  its beginning is known to a second or so, from when it went live")
    }
    if recordings.count > 1, !overlapsAnother(recording) {
      lines.append("  no instant of it is in another of these recordings")
    }
    return lines
  }

  /// JSON, a line for each recording.
  var lines: String {
    let missing: [JSONValue] = failures.map { ["path": .text($0.what), "error": .text("\($0)")] }
    return (recordings.map(json) + missing).map(\.description).joined(separator: "\n")
  }

  private func json(_ recording: AlignedRecording) -> JSONValue {
    [
      "path": .text(recording.path), "name": .text(recording.name), "broadcast": .text(recording.broadcast),
      "journal": .text(recording.journal), "length": JSONValue(recording.length),
      "wall": .text(recording.start.rfc3339Nanoseconds), "offset": JSONValue(offset(of: recording)),
      "exact": .bool(recording.isExact),
      "overlaps": .bool(overlapsAnother(recording)),
      "pieces": .list(
        recording.pieces.map { piece in
          [
            "at": JSONValue(piece.file.lowerBound), "end": JSONValue(piece.file.upperBound),
            "wall": .text(piece.wall.rfc3339Nanoseconds), "offset": JSONValue(piece.wall - start),
            "cause": JSONValue(piece.standstill?.cause), "stood": JSONValue(piece.standstill?.length),
          ]
        }),
      "clockSteps": .list(
        recording.clockSteps.map { ["wall": .text($0.at.rfc3339Nanoseconds), "by": JSONValue($0.by)] }),
    ]
  }
}

extension RecordingPiece.Standstill {
  fileprivate var text: String {
    let reason = Gap.Cause(rawValue: cause).map { "\($0)" } ?? cause
    return length < .zero
      ? "\(reason); by its clock what follows begins \(MediaTime.zero - length) earlier, and is laid behind"
      : "\(reason) for \(length)"
  }
}
