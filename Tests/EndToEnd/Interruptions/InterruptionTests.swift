import Foundation
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

/// Interruption, return, and background, in the whole program with a real server.
@Suite(.realTime) struct InterruptionTests {
  private let folder = ScratchFolder()
  private let server: NginxRTMP
  private let tail: FLVTail
  private let subject: HoldfastSubject

  /// A broadcast that has been started, and that the server has two seconds of.
  init() throws {
    server = try NginxRTMP(in: folder)
    tail = FLVTail(path: server.recording("typed", "porch"))
    subject = try HoldfastSubject(to: [server.url("typed", "porch")], in: folder)
    #expect(tail.hasPictures(moreThan: 60), "\(subject.said)")
  }

  @Test func `given I have started a broadcast, when I receive an interrupt, then my recording is paused`()
    throws
  {
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted"))
    #expect(subject.reports("closed", ofOutputTo: server.port))
    // What was on its way then has come.
    usleep(300_000)
    let recorded = tail.tags.count
    let own = try RecordingMarks(path: try #require(subject.recording))
    // A second is long enough for thirty pictures.
    usleep(1_000_000)
    #expect(tail.tags.count == recorded)
    let later = try RecordingMarks(path: try #require(subject.recording))
    #expect(own.report.pictures > 50 && later.report.pictures == own.report.pictures)
    #expect(subject.values("cause", of: "interrupted").first == "user")
    subject.finish()
    #expect(server.publishes().map(\.type) == ["record"])
  }

  @Test func `and when I return from it, then my recording is resumed from the point of interruption`() throws
  {
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted"))
    usleep(1_500_000)
    subject.signal(SIGUSR2)
    #expect(subject.reports("resumed"))
    let before = tail.tags.count { $0.kind == .video }
    #expect(tail.hasPictures(moreThan: before + 60), "\(subject.said)")
    subject.finish()
    #expect(server.publishes().map(\.type) == ["record", "append"])
    #expect(folder.recordings.count == 1 && subject.lostToUser > 0)
    for path in [server.recording("typed", "porch"), try #require(subject.recording)] {
      let media = try ServerMedia(path: path)
      #expect(media.isMonotone && media.hasBothTracksFromTheStart && media.report.isFaultless)
      // Missing is what was captured meanwhile, and nothing else.
      #expect(abs(Double(media.missingPictures - subject.picturesNeverTaken) - subject.lostToUser) <= 2)
      let offset = try #require(media.report.offset)
      #expect(offset.maximum - offset.minimum <= 20)
    }
  }

  @Test func `and when I enter the background and come back, then a new broadcast is started`() throws {
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted"))
    subject.signal(SIGTSTP)
    #expect(subject.reports("ended"))
    #expect(eventually { subject.isStopped })
    subject.signal(SIGCONT)
    #expect(subject.reports("live", times: 2), "\(subject.said)")
    #expect(tail.hasPictures(moreThan: 60))
    subject.finish()
    #expect(server.publishes().map(\.type) == ["record", "record"])
    #expect(folder.recordings.count == 2)
    #expect(subject.events("resumed").isEmpty)
    #expect(Set(subject.values("broadcast", of: "live")).count == 2)
    #expect(subject.values("reason", of: "ended") == ["background", "stopped"])
  }

  @Test func `an interruption that comes while the return is under way keeps it interrupted`() throws {
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted"))
    #expect(subject.reports("closed", ofOutputTo: server.port))
    subject.signal(SIGUSR2)
    usleep(10_000)
    subject.signal(SIGUSR1)
    #expect(subject.reports("interrupted", times: 2))
    usleep(700_000)
    let recorded = tail.tags.count
    usleep(700_000)
    #expect(tail.tags.count == recorded)
    let resumed = subject.events("resumed").count
    subject.signal(SIGUSR2)
    #expect(subject.reports("resumed", times: resumed + 1), "\(subject.said)")
    let before = tail.tags.count { $0.kind == .video }
    #expect(tail.hasPictures(moreThan: before + 30), "\(subject.said)")
    subject.finish()
    #expect(folder.recordings.count == 1)
    #expect(try ServerMedia(path: try #require(subject.recording)).isMonotone)
  }

  @Test func `twenty interruptions leave one recording, with picture and sound in step`() throws {
    for round in 1...20 {
      subject.signal(SIGUSR1)
      #expect(subject.reports("interrupted", times: round))
      usleep(UInt32(20_000 * round))
      subject.signal(SIGUSR2)
      #expect(subject.reports("resumed", times: round), "\(subject.said)")
      usleep(UInt32(400_000 - 15_000 * round))
    }
    let before = tail.tags.count { $0.kind == .video }
    #expect(tail.hasPictures(moreThan: before + 30))
    subject.finish()
    #expect(folder.recordings.count == 1)
    #expect(subject.values("cause", of: "gap").count { $0 == "user" } == 20)
    let media = try ServerMedia(path: try #require(subject.recording))
    #expect(media.isMonotone && media.hasBothTracksFromTheStart && media.report.isFaultless)
    #expect(abs(Double(media.missingPictures - subject.picturesNeverTaken) - subject.lostToUser) <= 20)
    // Pictures that a busy machine could not take have their time all the same.
    let taken = Double(media.report.pictures + subject.picturesNeverTaken)
    #expect(abs(media.audioSeconds - taken / 30) < 0.1, "\(subject.said)")
  }

  @Test func `what a frozen server did not take before the end is named`() throws {
    server.freeze()
    usleep(300_000)
    subject.finish()
    let lost = subject.lines.lost("video") { $0["output"] is String }.reduce(0, +)
    // What it had not yet answered when it froze, and all that came later.
    #expect(lost >= 250 && lost < 2500, "\(subject.said)")
    #expect(subject.values("reason", of: "ended").last == "stopped")
  }
}
