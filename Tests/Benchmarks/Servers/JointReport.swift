import HoldfastMarks
import HoldfastMediaModel
import TestSupport

extension Claims {
  /// In milliseconds.
  private static let frames: [(track: TrackKind, length: Double)] = [
    (.video, 1000.0 / 30), (.audio, 1024.0 / 48),
  ]
  /// What a step may be longer than a frame.
  private static let excessBar = 20.0

  /// What a server's file holds where publishes meet that ended in order.
  mutating func checkJoints(of run: ServerRun) throws {
    let (packets, marks) = (try PacketTimes(path: run.file), try RecordingMarks(path: run.file))
    let recorded = try RecordingMarks(path: run.folder.recording()).report.pictures
    let tracks = Self.frames.compactMap { track, length in packets.tracks[track].map { (track, length, $0) } }
    guard tracks.count == 2 else { throw TestFailure("a track is missing in \(run.file)") }
    expect(
      packets.isMonotone, "decode times rise",
      (["\(packets.stepsBack.count) steps back"] + packets.stepsBack).joined(separator: ", "))
    expect(
      tracks.allSatisfy { $2.longestStep <= $1 + Self.excessBar }, "no step over a frame and 20 ms",
      tracks.map { "\($0.rawValue) \(figure($2.longestStep)) ms" }.joined(separator: ", "))
    let ends = tracks.map { $2.last * 1000 + $1 }
    expect(
      abs(ends[1] - ends[0]) <= Self.frames[0].length, "the tracks end within a frame",
      "sound \(figure(ends[1] - ends[0])) ms later than the picture")
    check(offsets: marks.report.offsets.map(\.milliseconds), within: 5)
    let outages = run.events.filter {
      $0.fields["event"] as? String == "gap" && $0.fields["cause"] as? String == "network"
    }
    expect(
      outages.isEmpty && marks.report.isFaultless && marks.report.pictures == recorded, "nothing lost",
      "\(marks.report.pictures) pictures of \(recorded), \(outages.count) gaps of the network"
        + outages.map { "\n" + $0.text }.joined())
  }
}
