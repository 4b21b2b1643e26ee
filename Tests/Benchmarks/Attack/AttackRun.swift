import Foundation
import Glibc
import HoldfastMarks
import TestSupport

/// A broadcast to a hostile server, to `holdfast serve`, and to a recording.
struct AttackRun {
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
    self.peak = Double(peak) / 1024
    processorShare = processor / Double(seconds)
    connections = hostile.connections
    publishes = subject.changes(ofOutputTo: hostile.port).count { $0.state == "publishing" }
    faults = Self.faults(
      subject, server, folder, isOfSource: peer.isSource, peak: Double(peak) / 1024, seconds: Double(seconds))
  }

  /// With a source, only the sound is the test's own; a start that is refused says why.
  private static func faults(
    _ subject: HoldfastSubject, _ server: ServeProcess, _ folder: ScratchFolder, isOfSource: Bool,
    peak: Double, seconds: Double
  ) -> [String] {
    var faults: [String] = []
    let bar = isOfSource ? maxPeakWithSource : maxPeak
    if peak > bar { faults.append("more than \(figure(bar, 0)) MB") }
    if isOfSource, subject.status == 66, subject.log.contains("the source ") { return faults }
    if subject.status != 0 { faults.append("exit status \(subject.status ?? -1)") }
    for (name, path) in [("recording", subject.recording), ("other output", server.recording)] {
      guard let path, let marks = try? RecordingMarks(path: path) else {
        faults.append("no \(name)")
        continue
      }
      let hasSound = marks.audioSeconds > seconds - 0.5
      let hasPictures =
        marks.missingPictures == 0 && marks.report.isFaultless
        && Double(marks.report.pictures) >= seconds * 30 - 15
      if isOfSource, !hasSound { faults.append("\(name): \(figure(marks.audioSeconds)) s of sound") }
      if !isOfSource, !hasSound || !hasPictures { faults.append("\(name): \(marks.summary)") }
    }
    if !isOfSource, let complaint = try? folder.complaint() { faults.append("verify: \(complaint)") }
    return faults
  }
}
