import Foundation
import Glibc
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPostproduction
import HoldfastRecording
import TestSupport

/// A broadcast of a network source through faults, and what it has recorded.
struct SourceRun {
  /// A fault as it happened.
  struct Injected {
    let fault: SourceFault
    /// From the fault until media flows again, in seconds of media time.
    let span: ClosedRange<Double>
    /// Whether the broadcast noticed.
    let isLost: Bool
    /// From the fault to the loss that is told, and from the end of the fault to the return, in seconds.
    let noticed: Double
    let back: Double
  }

  private(set) var injected: [Injected] = []
  let comparison: LossComparison
  let steps: SoundSteps?
  let report: MarkReport
  let seconds: Double
  /// What does not hold beside the losses.
  let faults: [String]

  init(_ kind: FarEnd.Kind, _ plan: [SourceFault]) throws {
    let folder = ScratchFolder()
    let far = try FarEnd(kind)
    defer { far.stop() }
    let subject = try HoldfastSubject(
      options: [
        "--video", far.address, "--audio", kind.hasSound ? far.address : "off", "--size", "640x360",
        "--bitrate", "1M", "--duration", "2h",
      ], in: folder
    ).whenLive()
    guard eventually({ Self.playing(subject) == (kind.hasSound ? 2 : 1) }), subject.play(3)
    else { throw TestFailure("the source is not played:\n\(subject.log)") }
    for (number, fault) in plan.enumerated() {
      progress("\(kind.rawValue): \(number + 1) of \(plan.count), \(fault.name)")
      injected.append(try Self.inject(fault, far, subject))
    }
    subject.finish()
    let path = try folder.recording()
    let pictures = try Self.pictures(path, folder)
    var reader = BeepReader(path: path)
    let beeps = reader?.beeps() ?? []
    report = MarkReport(pictures: pictures, beeps: beeps)
    seconds = pictures.last?.time.seconds ?? 0
    comparison = LossComparison(pictures, subject.lines, injected.map(\.span), isAhead: kind.isAhead)
    steps =
      kind.hasSound
      ? try SoundSteps(
        path: path, joints: Self.joints(subject.lines), edges: SoundSteps.edges(pictures)) : nil
    faults = Self.faults(subject, folder)
  }

  /// The marks of a larger picture have another grid, which is found in the recording at twice its size.
  private static func pictures(_ path: String, _ folder: ScratchFolder) throws -> [MarkedPicture] {
    let large = folder.file("large.mkv")
    try Tool.run([
      "ffmpeg", "-nostdin", "-v", "error", "-i", path, "-an", "-vf", "scale=1280:720:flags=neighbor",
      "-fps_mode", "passthrough", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", large,
    ])
    let (small, other) = (try RecordingMarks(path: path).pictures, try RecordingMarks(path: large).pictures)
    guard small.count == other.count else {
      throw TestFailure("\(small.count) pictures, and \(other.count) at twice the size")
    }
    return zip(small, other).map { MarkedPicture(time: $0.time, mark: $0.mark ?? $1.mark) }
  }

  /// The number of tracks that the source delivers.
  private static func playing(_ subject: HoldfastSubject) -> Int {
    let last = Dictionary(subject.events("device").map { ($0["track"] as? String, $0["state"] as? String) }) {
      $1
    }
    return last.values.count { ["open", "back"].contains($0) }
  }

  /// When devices had changed to a state, in seconds since 1970.
  private static func wallTimes(_ state: String, _ subject: HoldfastSubject) -> [Double] {
    subject.events("device").filter { $0["state"] as? String == state }.compactMap { wallSeconds($0["at"]) }
  }

  private static func inject(
    _ fault: SourceFault, _ far: FarEnd, _ subject: HoldfastSubject
  ) throws -> Injected {
    let (tracks, losses) = (playing(subject), wallTimes("lost", subject).count)
    let (begin, began) = (try subject.mediaTime(), Date())
    switch fault {
    case .pulled(let time):
      far.pull()
      pause(time)
      try far.start()
    case .restarted: try far.restart()
    case .frozen(let time):
      far.freeze()
      pause(time)
      far.thaw()
    case .enlarged: try far.enlarge()
    }
    let ended = Date()
    let isLost = eventually(within: 8) { wallTimes("lost", subject).count > losses }
    guard eventually({ playing(subject) == tracks }), subject.play(2),
      eventually({ playing(subject) == tracks })
    else { throw TestFailure("\(fault.name): the source is not played again:\n\(subject.log.suffix(3000))") }
    let lost = wallTimes("lost", subject).dropFirst(losses).first ?? began.timeIntervalSince1970
    let back = wallTimes("back", subject).last ?? 0
    return Injected(
      fault: fault, span: begin - 0.1...(try subject.mediaTime()), isLost: isLost,
      noticed: lost - began.timeIntervalSince1970, back: back - ended.timeIntervalSince1970)
  }

  /// Where sound may begin or end, in seconds of the recording.
  private static func joints(_ lines: EventLines) -> [Double] {
    lines.named("gap").flatMap { line -> [Double] in
      guard let at = line["mediaAt"] as? Double, let lost = lostMs(line, "audio") else { return [] }
      return [at / 1000, (at + lost) / 1000]
    }
  }

  private static func faults(_ subject: HoldfastSubject, _ folder: ScratchFolder) -> [String] {
    var faults: [String] = []
    if folder.recordings.count != 1 { faults.append("\(folder.recordings.count) recordings") }
    if !subject.events("interrupted").isEmpty { faults.append("it was interrupted") }
    if subject.status != 0 { faults.append("exit status \(subject.status ?? -1)") }
    if let complaint = try? folder.complaint() { faults.append("verify: \(complaint)") }
    return faults
  }
}
