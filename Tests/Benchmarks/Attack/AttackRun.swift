import Foundation
import Glibc
import HoldfastMarks
import TestSupport

/// A broadcast to a hostile server, to `holdfast serve`, and to a recording.
struct AttackRun {
  let peer: AttackPeer
  /// The largest memory of the broadcaster, in MB.
  let peak: Double
  let processorShare: Double
  let connections: Int
  /// How often the hostile server counted as being published to.
  let publishes: Int
  /// What does not hold.
  let faults: [String]

  private static let maxPeak = 150.0
  /// A single call for a source may make the broadcaster grow by 128 MB.
  private static let maxPeakWithSource = 220.0

  init(_ peer: AttackPeer, seconds: Int) throws {
    let folder = ScratchFolder()
    let hostile = try peer.start()
    let server = try ServeProcess(in: folder)
    let subject = try HoldfastSubject(
      to: [server.address] + (peer.isSource ? [] : [hostile.url]),
      options: ["--size", "640x360", "--bitrate", "1M", "--duration", "\(seconds)s"]
        + (peer.isSource ? ["--video", hostile.url] : []), in: folder)
    var (peak, processor) = (0, 0.0)
    let limit = Date(timeIntervalSinceNow: Double(seconds) + 60)
    while !subject.hasEnded, Date() < limit {
      if let figures = ProcessFigures(of: subject.identifier) { peak = max(peak, figures.peakKilobytes) }
      processor = max(processor, ProcessFigures.processorSeconds(subject.identifier)[""] ?? 0)
      usleep(100_000)
    }
    if !subject.hasEnded { subject.kill() }
    subject.waitForEnd()
    hostile.stop()
    server.finish()
    self.peer = peer
    self.peak = Double(peak) / 1024
    processorShare = processor / Double(seconds)
    connections = hostile.connections()
    publishes = subject.changes(ofOutputTo: hostile.port).count { $0.state == "publishing" }
    faults =
      peer.isSource
      ? Self.sourceFaults(subject, server, peak: Double(peak) / 1024, seconds: seconds)
      : Self.faults(subject, server, peak: Double(peak) / 1024, seconds: seconds)
  }

  private static func faults(
    _ subject: HoldfastSubject, _ server: ServeProcess, peak: Double, seconds: Int
  ) -> [String] {
    var faults: [String] = []
    if peak > maxPeak { faults.append("more than \(figure(maxPeak, 0)) MB") }
    if subject.status != 0 { faults.append("exit status \(subject.status ?? -1)") }
    for (name, path) in [("recording", subject.recording), ("other output", server.recording)] {
      guard let path, let marks = try? RecordingMarks(path: path) else {
        faults.append("no \(name)")
        continue
      }
      let isWhole = marks.missingPictures == 0 && marks.report.isFaultless
      let isLong = marks.report.pictures >= seconds * 30 - 15 && marks.audioSeconds > Double(seconds) - 0.5
      if !isWhole || !isLong { faults.append("\(name): \(marks.summary)") }
    }
    if let path = subject.recording, let verified = try? HoldfastProcess.run(["verify", path]),
      verified.status != 0
    {
      faults.append("verify: \(verified.output)")
    }
    return faults
  }

  /// The sound is the test tone's; a start that is refused says why.
  private static func sourceFaults(
    _ subject: HoldfastSubject, _ server: ServeProcess, peak: Double, seconds: Int
  ) -> [String] {
    var faults: [String] = []
    if peak > maxPeakWithSource { faults.append("more than \(figure(maxPeakWithSource, 0)) MB") }
    if subject.status == 66, subject.log.contains("the source ") { return faults }
    if subject.status != 0 { faults.append("exit status \(subject.status ?? -1)") }
    for (name, path) in [("recording", subject.recording), ("other output", server.recording)] {
      let length = path.flatMap { try? RecordingMarks(path: $0).audioSeconds } ?? 0
      if length < Double(seconds) - 0.5 { faults.append("\(name): \(figure(length)) s of sound") }
    }
    return faults
  }
}
