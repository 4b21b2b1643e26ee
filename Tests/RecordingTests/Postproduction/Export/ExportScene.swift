import HoldfastFFmpeg
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

@testable import HoldfastPostproduction
@testable import HoldfastRecording

/// A folder with a recording in it, its journal, and what is exported from it.
struct ExportScene {
  let folder = ScratchFolder()
  static let name = "hall-20261121T042210Z.mp4"

  var recording: String { folder.file(Self.name) }
  var output: String { folder.file("out.mp4") }
  var captions: String { folder.file("out.vtt") }
  /// Where the programs look for journals.
  var environment: [String: String] { ["XDG_STATE_HOME": folder.file("state")] }

  /// Puts a journal where it belongs. The recording's first file begins with the media timeline.
  func journal(_ entries: (Double, JournalEntry)...) throws {
    let place = folder.file("state/holdfast/hall")
    try createDirectory(place)
    let beginning: [(Double, JournalEntry)] = [
      (0, .began(.init(broadcast: JournalSample.id, name: "hall"))),
      (0, .recording(path: "/elsewhere/" + Self.name, tracks: "ab12")), (0, .live(.record)),
    ]
    let records = (beginning + entries).map { JournalSample.record($0.0, $0.1) }
    try SampleRecording.write(JournalSample.bytes(records), to: "\(place)/\(JournalSample.id).jsonl")
  }

  func request(
    _ gaps: Export.Gaps = .close, parts: [String] = [], _ change: (inout Export.Request) -> Void = { _ in }
  ) -> Export.Request {
    var request = Export.Request(
      parts: parts.isEmpty ? [recording] : parts, output: output, container: .mp4, environment: environment)
    request.gaps = gaps
    change(&request)
    return request
  }

  @discardableResult
  func export(
    _ gaps: Export.Gaps = .close, parts: [String] = [], _ change: (inout Export.Request) -> Void = { _ in }
  ) throws -> Export.Result {
    try Export(request(gaps, parts: parts, change)).run()
  }

  func marks() throws -> RecordingMarks { try RecordingMarks(path: output) }

  /// What FFmpeg's decoders complain about.
  func complaints() throws -> String { try decodersComplaints(output) }

  /// `start title` of each chapter, as ffprobe reads them.
  func chapters() throws -> [String] {
    try Tool.run([
      "ffprobe", "-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of",
      "csv=p=0:s=\\ :escape=none", output,
    ]).split(separator: "\n").map(String.init)
  }
}

/// What FFmpeg's decoders complain about in a file, with options for reading and for decoding it.
func decodersComplaints(_ path: String, reading: String = "", decoding: String = "") throws -> String {
  try Tool.run([
    "sh", "-c", "ffmpeg -nostdin -v warning \(reading) -i \"$1\" \(decoding) -f null - 2>&1", "sh", path,
  ])
}

extension RecordingMarks {
  /// Where the picture that was captured at `second` is shown.
  func place(ofSecond second: Double) -> Double? {
    pictures.first { $0.mark?.number == UInt32((second * 30).rounded()) }?.time.seconds
  }

  /// By how much sound and picture move against each other.
  var spread: Double { report.offset.map { $0.maximum - $0.minimum } ?? .infinity }
}
