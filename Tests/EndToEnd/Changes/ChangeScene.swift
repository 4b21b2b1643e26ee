import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import Testing

/// A broadcast of the test signals that goes to a real server, and whose tracks are changed with `holdfast ctl`.
final class ChangeScene {
  let folder: ScratchFolder
  let server: NginxRTMP
  private(set) var subject: HoldfastSubject

  /// So much may sound and picture move against each other, in milliseconds.
  private static let offsetLimit = 20.0
  /// Three pictures: no more than two are missing.
  private static let longestStep = 0.1001
  private static let serverStep = 0.15

  init(_ options: [String] = [], camera: TestDevice.Camera? = nil, in folder: ScratchFolder) throws {
    self.folder = folder
    server = try NginxRTMP(in: folder)
    subject = try HoldfastSubject(
      to: [server.url("typed", "porch")], environment: camera?.environment ?? [:], options: options,
      in: folder)
  }

  func killAndRestart() throws {
    subject.kill()
    subject = try subject.restarted()
  }

  var files: [String] { folder.recordings.prefix(1) + [server.recording("typed", "porch")] }

  func track(_ name: String) throws -> [String: Any] {
    try #require((try subject.controlStatus()["tracks"] as? [String: Any])?[name] as? [String: Any])
  }

  private func mediaTime() -> Double { (try? subject.mediaTime()) ?? 0 }

  func play(_ seconds: Double) {
    #expect(subject.play(seconds), "\(subject.said)")
  }

  /// Runs `ctl`, which has to be told that it is done.
  func tell(_ words: String...) throws {
    let result = try subject.ctl(words)
    #expect(result.status == 0, "\(words): \(result.errors)")
  }

  /// When on the time line `change` was made. There, picture and sound that don't belong together may meet.
  func noting(_ change: () throws -> Void) rethrows -> ClosedRange<Double> {
    let before = mediaTime()
    try change()
    return max(0, before - 0.2)...mediaTime() + 1
  }

  /// Seconds of the picture that a busy machine did not take, and has told.
  var lost: Double { Double(subject.picturesNeverTaken) / 30 }

  /// The sound's place beside the picture, but for `times`.
  func offsets(in path: String, but times: [ClosedRange<Double>]) throws -> [MarkReport.Offset] {
    try RecordingMarks(path: path).report.offsets.filter { offset in
      !times.contains { $0.contains(offset.time.seconds) }
    }
  }

  /// Both files are whole: no more than two pictures are missing at a stretch, decode times rise, both tracks end together,
  /// and sound and picture are in step but for `times`. Each of the `returns` from an interruption makes the server's longer:
  /// where it appends, it goes on by its own clock.
  func expectWhole(
    but times: [ClosedRange<Double>] = [], returns: Int = 0, _ place: SourceLocation = #_sourceLocation
  ) throws {
    for path in files {
      let signal = try RecordedSignal(path: path)
      let name = path.suffix(4)
      let isAppended = returns > 0 && path.hasSuffix(".flv")
      let longest = Self.longestStep + lost + (isAppended ? Self.serverStep : 0)
      #expect(signal.longestStep <= longest, "\(name): \(signal.longestStep) s", sourceLocation: place)
      let packets = try PacketTimes(path: path)
      #expect(packets.isMonotone && signal.isRising, "\(name): \(packets.stepsBack)", sourceLocation: place)
      let marks = try RecordingMarks(path: path)
      let end = signal.pictures.last?.time ?? 0
      let shift = isAppended ? Double(returns) * Self.serverStep : 0
      #expect(
        abs(marks.audioSeconds - end) < 0.2 + shift, "\(name): \(marks.audioSeconds) s of \(end) s",
        sourceLocation: place)
      let offsets = try offsets(in: path, but: times).map(\.milliseconds)
      #expect(
        !offsets.isEmpty && offsets.allSatisfy { abs($0) <= Self.offsetLimit }, "\(name): \(offsets)",
        sourceLocation: place)
    }
  }
}
