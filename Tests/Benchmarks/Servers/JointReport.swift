import HoldfastMarks
import HoldfastMediaModel
import TestSupport

/// What a server's file holds where publishes meet that ended in order.
struct JointReport {
  let lines: [String]
  let holds: Bool

  /// In milliseconds.
  private static let frames: [(track: TrackKind, length: Double)] = [
    (.video, 1000.0 / 30), (.audio, 1024.0 / 48),
  ]
  /// What a step may be longer than a frame.
  private static let excessBar = 20.0
  private static let offsetBar = 5.0

  init(_ run: ServerRun) throws {
    let (packets, marks) = (try PacketTimes(path: run.file), try RecordingMarks(path: run.file))
    let steps = Self.frames.map { ($0.track, packets.tracks[$0.track]?.longestStep ?? .infinity, $0.length) }
    let offsets = marks.report.offsets.map(\.milliseconds)
    let ends = Self.frames.compactMap { track, length in packets.tracks[track].map { $0.last * 1000 + length }
    }
    guard ends.count == 2 else { throw TestFailure("a track is missing in \(run.file)") }
    let apart = ends[1] - ends[0]
    guard let recording = run.recording else { throw TestFailure("there is no recording") }
    let recorded = try RecordingMarks(path: recording).report.pictures
    let outages = run.events.filter {
      $0.fields["event"] as? String == "gap" && $0.fields["cause"] as? String == "network"
    }
    let claims = [
      (
        "decode times rise", packets.isMonotone,
        (["\(packets.stepsBack.count) steps back"] + packets.stepsBack).joined(separator: ", ")
      ),
      (
        "no step over a frame and 20 ms", steps.allSatisfy { $1 <= $2 + Self.excessBar },
        steps.map { track, step, _ in "\(track.rawValue) \(figure(step)) ms" }.joined(separator: ", ")
      ),
      (
        "the tracks end within a frame", abs(apart) <= Self.frames[0].length,
        "sound \(figure(apart)) ms later than the picture"
      ),
      (
        "sound within 5 ms of the picture",
        !offsets.isEmpty && offsets.allSatisfy { abs($0) <= Self.offsetBar },
        "\(figure(offsets.min() ?? .nan)) to \(figure(offsets.max() ?? .nan)) ms in \(offsets.count) marks"
      ),
      (
        "nothing lost", outages.isEmpty && marks.report.isFaultless && marks.report.pictures == recorded,
        "\(marks.report.pictures) pictures of \(recorded), \(outages.count) gaps of the network"
          + outages.map { "\n" + $0.text }.joined()
      ),
    ]
    holds = claims.allSatisfy { $0.1 }
    lines = claims.map { "\($0.1 ? "ok  " : "FAIL") \($0.0): \($0.2)" }
  }
}
