import Foundation
import Glibc
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

/// What interrupts a broadcast while its output is in trouble. Its recording, which is not, shows what became of it.
@Suite(.realTime) struct TroubledInterruptionTests {
  @Test(arguments: TroubledOutput.Trouble.allCases)
  func `an output's trouble changes nothing about an interruption`(trouble: TroubledOutput.Trouble) throws {
    let output = try TroubledOutput(trouble)
    let subject = output.subject
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted"), "\(subject.said)")
    #expect(output.becomes("closed"), "\(subject.said)")
    usleep(300_000)
    subject.signal(SIGUSR2)
    #expect(subject.reports("resumed"), "\(subject.said)")
    usleep(700_000)
    subject.finish()
    #expect(subject.status == 0 && output.folder.recordings.count == 1)
    #expect(subject.events("gap").count { $0["cause"] as? String == "user" } == 1)
    try expectNothingElseMissing(output)
  }

  @Test(arguments: TroubledOutput.Trouble.allCases)
  func `one that comes before the return is through is an interruption`(trouble: TroubledOutput.Trouble)
    throws
  {
    let output = try TroubledOutput(trouble)
    let subject = output.subject
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted") && output.becomes("closed"), "\(subject.said)")
    usleep(300_000)
    subject.signal(SIGUSR2)
    // A server that says nothing is waited for longer than that.
    usleep(100_000)
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted", times: 2), "\(subject.said)")
    #expect(output.becomes("closed"), "\(subject.said)")
    let resumed = subject.events("resumed").count
    // More than the longest wait for a server.
    usleep(600_000)
    #expect(subject.events("resumed").count == resumed, "\(subject.said)")
    let own = try RecordingMarks(path: try #require(subject.recording)).report.pictures
    usleep(600_000)
    #expect(try RecordingMarks(path: try #require(subject.recording)).report.pictures == own)
    subject.signal(SIGUSR2)
    #expect(subject.reports("resumed", times: resumed + 1), "\(subject.said)")
    usleep(700_000)
    subject.finish()
    try expectNothingElseMissing(output)
  }

  @Test(arguments: TroubledOutput.Trouble.allCases)
  func `the background ends it, and coming back begins a new one`(trouble: TroubledOutput.Trouble) throws {
    let output = try TroubledOutput(trouble)
    let subject = output.subject
    // Neither is a return from anything.
    for number in [SIGUSR2, SIGCONT, SIGTSTP] {
      subject.signal(number)
      // The kernel hands out those that come together by their numbers.
      usleep(100_000)
    }
    #expect(subject.reports("backgrounded") && eventually { subject.isStopped }, "\(subject.said)")
    #expect(output.folder.recordings.count == 1 && subject.events("starting").count == 1)
    subject.signal(SIGCONT)
    #expect(subject.reports("starting", times: 2), "\(subject.said)")
    // Who does not answer at all is waited for until it goes live: this one is stopped before.
    if trouble == .connecting {
      #expect(output.becomes("connecting"), "\(subject.said)")
    } else {
      #expect(subject.reports("live", times: 2), "\(subject.said)")
      usleep(500_000)
    }
    subject.finish()
    #expect(subject.status == 0, "\(subject.said)")
    #expect(subject.events("resumed").isEmpty)
    #expect(subject.values("reason", of: "ended") == ["background", "stopped"])
    #expect(output.folder.recordings.count == (trouble == .connecting ? 1 : 2))
    for path in output.folder.recordings {
      #expect(try RecordingMarks(path: path).report.pictures > 0)
    }
  }

  @Test(arguments: TroubledOutput.Trouble.allCases)
  func `it can be stopped while it is interrupted`(trouble: TroubledOutput.Trouble) throws {
    let output = try TroubledOutput(trouble)
    let subject = output.subject
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted") && output.becomes("closed"), "\(subject.said)")
    let before = Date()
    subject.finish()
    #expect(-before.timeIntervalSinceNow < 5)
    #expect(subject.status == 0, "\(subject.said)")
    #expect(subject.values("reason", of: "ended") == ["stopped"])
    #expect(output.folder.recordings.count == 1)
    try expectNothingElseMissing(output)
  }

  @Test func `a start that is interrupted begins afresh`() throws {
    let folder = ScratchFolder()
    let server = try NginxRTMP(in: folder)
    let proxy = try FaultProxy(to: server.port)
    try proxy.make(.hold)
    let subject = try HoldfastSubject(
      to: ["rtmp://127.0.0.1:\(proxy.port)/typed/porch"], in: folder)
    #expect(
      eventually { subject.changes(ofOutputTo: proxy.port).last?.state == "connecting" },
      "\(subject.said)")
    subject.signal(SIGUSR1)
    #expect(subject.reports("ended"), "\(subject.said)")
    #expect(subject.events("interrupted").count == 1 && folder.recordings.isEmpty)
    try proxy.make(.reset)
    try proxy.make(.pass)
    subject.signal(SIGUSR2)
    let tail = FLVTail(path: server.recording("typed", "porch"))
    #expect(tail.hasPictures(moreThan: 30), "\(subject.said)")
    subject.finish()
    #expect(subject.status == 0 && folder.recordings.count == 1)
    #expect(server.publishes().map(\.type) == ["record"])
    #expect(subject.events("resumed").isEmpty && subject.events("live").count == 1)
  }

  /// The recording lacks what was captured during the interruptions, by the gaps that were told.
  private func expectNothingElseMissing(_ output: TroubledOutput) throws {
    let subject = output.subject
    let gaps = subject.values("cause", of: "gap").count { $0 == "user" }
    let media = try ServerMedia(path: try #require(subject.recording))
    #expect(media.isMonotone && media.hasBothTracksFromTheStart && media.report.isFaultless)
    let missing = Double(media.missingPictures - subject.picturesNeverTaken)
    #expect(abs(missing - subject.lostToUser) <= Double(gaps) + 1, "\(subject.said)")
    #expect(abs(media.audioSeconds - Double(media.report.pictures) / 30) < 0.1)
  }
}
