import Foundation
import Glibc
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

/// Interruptions while an output is failing; the recording, which is not, shows their effect.
@Suite(.realTime) struct TroubledInterruptionTests {
  @Test(arguments: TroubledOutput.Trouble.allCases)
  func `a failing output does not affect an interruption`(trouble: TroubledOutput.Trouble) throws {
    let output = try TroubledOutput(trouble)
    let subject = output.subject
    try subject.interrupt()
    #expect(output.becomes("closed"), "\(subject.log)")
    usleep(300_000)
    try subject.resume()
    usleep(700_000)
    subject.finish()
    // A key that was always wrong has delivered nothing.
    #expect(subject.status == (trouble == .wrongKey ? 69 : 0) && output.folder.recordings.count == 1)
    #expect(subject.events("gap").count { $0["cause"] as? String == "user" } == 1)
    try expectNothingElseMissing(output)
  }

  @Test(arguments: TroubledOutput.Trouble.allCases)
  func `an interruption during a resumption interrupts again`(trouble: TroubledOutput.Trouble) throws {
    let output = try TroubledOutput(trouble)
    let subject = output.subject
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted") && output.becomes("closed"), "\(subject.log)")
    usleep(300_000)
    // Shorter than the wait for a silent server.
    #expect(subject.interruptReturn(after: 100_000) && output.becomes("closed"), "\(subject.log)")
    let resumed = subject.events("resumed").count
    // Longer than the longest wait for a server.
    usleep(600_000)
    #expect(subject.events("resumed").count == resumed, "\(subject.log)")
    let path = try #require(subject.recording)
    let own = try RecordingMarks(path: path).report.pictures
    usleep(600_000)
    #expect(try RecordingMarks(path: path).report.pictures == own)
    try subject.resume(times: resumed + 1)
    usleep(700_000)
    subject.finish()
    try expectNothingElseMissing(output)
  }

  @Test(arguments: TroubledOutput.Trouble.allCases)
  func `the background ends the broadcast, and the foreground starts a new one`(
    trouble: TroubledOutput.Trouble
  ) throws {
    let output = try TroubledOutput(trouble)
    let subject = output.subject
    // The first two have nothing to resume.
    for number in [SIGUSR2, SIGCONT, SIGTSTP] {
      subject.signal(number)
      // The kernel delivers pending signals by number, not by arrival.
      usleep(100_000)
    }
    #expect(subject.reports("backgrounded") && eventually { subject.isStopped }, "\(subject.log)")
    #expect(output.folder.recordings.count == 1 && subject.events("starting").count == 1)
    subject.signal(SIGCONT)
    #expect(subject.reports("starting", times: 2), "\(subject.log)")
    #expect(subject.reports("live", times: 2) && output.isTroubledAgain, "\(subject.log)")
    usleep(500_000)
    subject.finish()
    // The second broadcast was delivered nowhere.
    #expect(subject.status == 69 && subject.events("resumed").isEmpty, "\(subject.log)")
    #expect(subject.values("reason", of: "ended") == ["background", "stopped"])
    #expect(output.folder.recordings.count == 2)
    for path in output.folder.recordings { #expect(try RecordingMarks(path: path).report.pictures > 0) }
  }

  @Test(arguments: TroubledOutput.Trouble.allCases)
  func `an interrupted broadcast can be stopped`(trouble: TroubledOutput.Trouble) throws {
    let output = try TroubledOutput(trouble)
    let subject = output.subject
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted") && output.becomes("closed"), "\(subject.log)")
    subject.finish()
    #expect(subject.status == (trouble == .wrongKey ? 69 : 0), "\(subject.log)")
    #expect(subject.values("reason", of: "ended") == ["stopped"] && output.folder.recordings.count == 1)
    try expectNothingElseMissing(output)
  }

  @Test func `a start interrupted before going live starts over on return`() throws {
    let folder = ScratchFolder()
    let server = try NginxRTMP(in: folder)
    let proxy = try FaultProxy(to: server.port)
    try proxy.perform(.hold)
    let subject = try HoldfastSubject(
      to: ["rtmp://127.0.0.1:\(proxy.port)/typed/porch"], options: ["--record", "off"], in: folder)
    #expect(subject.reports("connecting", ofOutputTo: proxy.port), "\(subject.log)")
    subject.signal(SIGUSR1)
    #expect(subject.reports("ended") && subject.events("interrupted").count == 1, "\(subject.log)")
    try proxy.perform(.reset)
    try proxy.perform(.pass)
    subject.signal(SIGUSR2)
    let tail = FLVTail(path: server.recording("typed", "porch"))
    #expect(tail.hasPictures(moreThan: 30), "\(subject.log)")
    subject.finish()
    #expect(subject.status == 0 && server.publishes().map(\.type) == ["record"], "\(subject.log)")
    #expect(subject.events("resumed").isEmpty && subject.events("live").count == 1)
  }

  /// The recording lacks exactly what was captured during the interruptions, according to the reported gaps.
  private func expectNothingElseMissing(_ output: TroubledOutput) throws {
    let subject = output.subject
    let gaps = subject.values("cause", of: "gap").count { $0 == "user" }
    let media = try ServerMedia(path: try #require(subject.recording))
    let isExplained = subject.unexplainedLosses(in: media) <= Double(gaps) + 1
    #expect(media.isFaultless && isExplained, "\(media.report)\n\(subject.log)")
    // Pictures that a busy machine did not capture take up time nevertheless.
    let taken = Double(media.report.pictures + subject.uncapturedPictures)
    #expect(abs(media.audioSeconds - taken / 30) < 0.1)
  }
}
