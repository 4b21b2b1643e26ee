import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// A recording and outputs of one broadcast that differ in size and bitrate.
@Suite(.busyRealTime) struct RenditionTests {
  private let folder = ScratchFolder()

  private func output(_ url: String, _ rendition: String) -> String {
    #"{"url": "\#(url)", "rendition": "\#(rendition)"}"#
  }

  /// Small pictures, as a machine that is too slow for larger ones lowers the rates.
  @Test
  func `a recording of 3 Mb/s and outputs of 1 and 0.5 are true to their rates, with keyframes in common`()
    throws
  {
    let server = try NginxRTMP(in: folder)
    let source = try Noise.file(in: folder, size: "320x180")
    let subject = try HoldfastSubject(
      to: [server.url("typed", "main"), output(server.url("typed", "low"), "low")],
      options: [
        "--video", source, "--audio", source, "--size", "320x180", "--bitrate", "1M", "--gop", "1s",
        "--record-bitrate", "3M", "--renditions", #"{"low": {"size": "160x90", "bitrate": "500k"}}"#,
      ], in: folder)
    subject.waitForEnd()
    let recording = try RecordedPictures(path: try #require(subject.recording), from: 1)
    let main = try RecordedPictures(path: server.recording("typed", "main"), from: 1)
    let low = try RecordedPictures(path: server.recording("typed", "low"), from: 1)
    let files = [(recording, 3.0, "320x180"), (main, 1, "320x180"), (low, 0.5, "160x90")]
    #expect(files.map(\.0.size.description) == files.map(\.2))
    // A machine that has left out pictures has made each file from others, with fewer bits.
    guard subject.lines.lostPictures() == 0 else { return }
    for (file, rate, _) in files {
      #expect(
        abs(file.bitsPerSecond / 1e6 - rate) < rate / 8, "\(file.bitsPerSecond) of \(rate)\n\(subject.log)")
    }
    #expect(
      main.hasKeyframes(of: recording) && low.hasKeyframes(of: recording), "\(low) \(main) \(recording)")
  }

  @Test func `while the server of one rendition is frozen, the recording and the other one miss nothing`()
    throws
  {
    let (steady, frozen) = (try NginxRTMP(in: folder), try NginxRTMP(in: folder))
    let subject = try HoldfastSubject(
      to: [steady.url("typed", "main"), output(frozen.url("typed", "low"), "low")],
      options: [
        "--record-bitrate", "1M", "--renditions", #"{"low": {"size": "160x90", "bitrate": "200k"}}"#,
      ],
      in: folder)
    #expect([steady.port, frozen.port].allSatisfy { subject.reports("publishing", ofOutputTo: $0) })
    #expect(subject.play(1), "\(subject.log)")
    frozen.freeze()
    #expect(subject.play(4.5), "\(subject.log)")
    let renditions = try subject.controlStatus()["renditions"] as? [[String: Any]]
    #expect(renditions?.map { $0["name"] as? String } == ["main", "recording", "low"])
    frozen.thaw()
    #expect(subject.play(1), "\(subject.log)")
    subject.finish()
    let published = try RecordingMarks(path: steady.recording("typed", "main"))
    let recorded = try RecordingMarks(path: try #require(subject.recording))
    #expect(published.report.pictures + published.missingPictures > 150, "\(subject.log)")
    #expect(recorded.report.pictures + recorded.missingPictures > 180, "\(subject.log)")
    // The frozen server costs nothing; a machine without time may.
    for (user, marks) in [("rtmp-1", published), ("recording", recorded)] {
      let gaps = subject.lines.gaps(of: user)
      #expect(gaps.allSatisfy(EventLines.isLateness), "\(subject.log)")
      #expect(Double(marks.missingPictures) <= subject.lines.lostPictures(of: user), "\(subject.log)")
      #expect(marks.report.isFaultless)
    }
  }
}
