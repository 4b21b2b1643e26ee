import Glibc
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastBroadcasting

private func gap(
  _ cause: Gap.Cause, at output: String? = nil, video: Int64 = 0, pictures: Int = 0, audio: Int64 = 0
) -> Gap {
  let instant = WallTime(nanoseconds: 0)
  return Gap(
    cause, output: output, wallFrom: instant, wallTo: instant, mediaAt: .zero,
    lostVideo: .milliseconds(video), lostPictures: pictures, lostAudio: .milliseconds(audio))
}

@Suite struct ReportTests {
  private static let whole = "recorded 0:10:00.0 to recordings/x.mp4 (187 MB)"

  private static let reports: KeyValuePairs<[Gap], String> = [
    []: ": nothing lost", [gap(.xrun)]: ": nothing lost",
    [
      gap(.xrun, audio: 15), gap(.encoderTooSlow, video: 67, pictures: 2), gap(.xrun, audio: 5),
      gap(.encoderTooSlow, video: 33, pictures: 1),
    ]: ": lost: video 3 frames (0.100 s) encoder too slow; audio 0.020 s xrun",
    [gap(.device, video: 33, pictures: 1, audio: 1500), gap(.source, video: 33, pictures: 1)]:
      ": lost: video 1 frame (0.033 s) device lost; video 1 frame (0.033 s) lost by the source; "
      + "audio 1.500 s device lost",
    [gap(.crash, at: "main", video: 500), gap(.crash, video: 2000)]:
      ": lost: video 2.000 s the program was not running; video 0.500 s not delivered before a crash at main",
  ]

  @Test(arguments: reports.map { ($0, $1) })
  func `a report says what was lost, why and how much`(gaps: [Gap], losses: String) {
    let report = Report(
      duration: .seconds(600), recordingPath: "recordings/x.mp4", recordedBytes: 187_000_000, gaps: gaps)
    #expect(report.description == Self.whole + losses)
  }

  @Test(arguments: [(1, "1 interruption"), (2, "2 interruptions")])
  func `a report counts interruptions and their total time`(count: Int, text: String) {
    let report = Report(
      duration: .seconds(600), recordingPath: "recordings/x.mp4", recordedBytes: 187_000_000,
      interruptions: count, interrupted: .seconds(2))
    #expect(report.description == "\(Self.whole), \(text) of 0:00:02.0 in all: nothing lost")
  }
}

@Suite struct RecordingPathsTests {
  @Test func `a recording is named after the broadcast and the time`() {
    let instant = WallTime(nanoseconds: 1_795_234_930_999_000_000)
    #expect(RecordingPaths.stem(name: "hall", at: instant) == "hall-20261121T042210Z")
  }

  @Test func `a recording passes over a link under its name that leads nowhere`() throws {
    let folder = ScratchFolder()
    // The name is that of the second in which it is made.
    for second in 0..<120 {
      let stem = RecordingPaths.stem(name: "hall", at: .now + .seconds(Int64(second) - 1))
      try #require(symlink("/nowhere/a.mp4", folder.file(stem + ".mp4")) == 0)
    }
    #expect(RecordingPaths(directory: folder.path, name: "hall").next().hasSuffix("Z-2.mp4"))
  }
}
