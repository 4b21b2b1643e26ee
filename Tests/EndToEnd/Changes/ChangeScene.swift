import Foundation
import HoldfastMarks
import HoldfastMediaModel
import TestSupport
import Testing

/// A broadcast of the test signals to a real server, changed with `holdfast ctl`.
final class ChangeScene {
  let folder: ScratchFolder
  let server: NginxRTMP
  private(set) var subject: HoldfastSubject

  /// In milliseconds.
  private static let offsetLimit = 20.0
  /// Three pictures, as at most two may be missing.
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

  func isMuted(_ name: String) throws -> Bool { try #require(track(name)["muted"] as? Bool) }

  /// Interrupts and resumes with `ctl`; `times` counts all interruptions so far.
  func interruptAndResume(times: Int = 1, meanwhile act: () throws -> Void = {}) throws {
    try tell("interrupt")
    #expect(subject.reports("interrupted", times: times))
    try act()
    try tell("resume")
    #expect(subject.reports("resumed", times: times), "\(subject.log)")
  }

  func play(_ seconds: Double) { #expect(subject.play(seconds), "\(subject.log)") }

  /// Runs `ctl`, which must succeed.
  func tell(_ words: String...) throws {
    let result = try subject.ctl(words)
    #expect(result.status == 0, "\(words): \(result.errors)")
  }

  /// The media times around `change`, in which picture and sound need not match.
  func noting(_ change: () throws -> Void) rethrows -> ClosedRange<Double> {
    func mediaTime() -> Double { (try? subject.mediaTime()) ?? 0 }
    let before = mediaTime()
    try change()
    return max(0, before - 0.2)...mediaTime() + 1
  }

  /// Seconds of the picture reported as not captured on a busy machine.
  var lost: Double { Double(subject.uncapturedPictures) / 30 }

  /// The offsets of the sound from the picture, outside `times`.
  func offsets(in marks: RecordingMarks, but times: [ClosedRange<Double>]) -> [MarkReport.Offset] {
    marks.report.offsets.filter { offset in !times.contains { $0.contains(offset.time.seconds) } }
  }

  /// Ends the broadcast. Both files are whole: at most two consecutive pictures are missing, decode times rise,
  /// both tracks end together, and sound and picture are in step outside `times`. Each of the `returns` from an
  /// interruption lengthens the server's file, which is appended to by the server's clock.
  func finishWhole(
    but times: [ClosedRange<Double>] = [], returns: Int = 0, _ place: SourceLocation = #_sourceLocation
  ) throws {
    subject.finish()
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
      let offsets = offsets(in: marks, but: times).map(\.milliseconds)
      #expect(
        !offsets.isEmpty && offsets.allSatisfy { abs($0) <= Self.offsetLimit },
        "\(name): \(offsets)\n\(marks.report)", sourceLocation: place)
    }
  }
}
