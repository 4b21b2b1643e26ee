import Foundation
import HoldfastMarks
import TestSupport
import TestTraits
import Testing

/// Interruption, return, and background, in the whole program with a real server.
@Suite(.realTime) struct InterruptionTests {
  private let folder: ScratchFolder
  private let server: NginxRTMP
  private let tail: FLVTail
  private let subject: HoldfastSubject

  /// A broadcast that has been started, and that the server has two seconds of.
  init() throws {
    folder = try ScratchFolder()
    server = try NginxRTMP(in: folder)
    tail = FLVTail(path: server.recording("typed", "porch"))
    subject = try HoldfastSubject(to: [server.url("typed", "porch")], options: [], in: folder)
    #expect(pictures(60), "\(subject.said)")
  }

  private func pictures(_ count: Int) -> Bool {
    tail.wait { $0.count { $0.kind == .video } > count }
  }

  private func waitFor(_ event: String, times: Int = 1) -> Bool {
    HoldfastSubject.wait { subject.events(event).count >= times }
  }

  @Test func `given I have started a broadcast, when I receive an interrupt, then my recording is paused`()
    throws
  {
    subject.signal(SIGUSR1)
    #expect(waitFor("interrupted"))
    #expect(HoldfastSubject.wait { subject.changes(ofOutputTo: server.port).last?.state == "closed" })
    // What was on its way then has come.
    usleep(300_000)
    let recorded = tail.tags.count
    let own = try RecordingMarks(path: try #require(subject.recording))
    // A second is long enough for thirty pictures.
    usleep(1_000_000)
    #expect(tail.tags.count == recorded)
    let later = try RecordingMarks(path: try #require(subject.recording))
    #expect(own.report.pictures > 50 && later.report.pictures == own.report.pictures)
    #expect(subject.events("interrupted").first?["cause"] as? String == "user")
    subject.finish()
    #expect(server.publishes().map(\.type) == ["record"])
  }

  @Test func `and when I return from it, then my recording is resumed from the point of interruption`() throws
  {
    subject.signal(SIGUSR1)
    #expect(waitFor("interrupted"))
    usleep(1_500_000)
    subject.signal(SIGUSR2)
    #expect(waitFor("resumed"))
    let before = tail.tags.count { $0.kind == .video }
    #expect(pictures(before + 60), "\(subject.said)")
    subject.finish()
    #expect(server.publishes().map(\.type) == ["record", "append"])
    #expect(folder.recordings.count == 1)
    let interrupted = try #require(subject.events("gap").first { $0["cause"] as? String == "user" })
    let lost = try #require((interrupted["lostMs"] as? [String: Double])?["video"])
    for path in [server.recording("typed", "porch"), try #require(subject.recording)] {
      let media = try ServerMedia(path: path)
      #expect(media.isMonotone && media.hasBothTracksFromTheStart)
      #expect(media.report.repeated == 0 && media.report.goingBack == 0 && media.report.unreadable == 0)
      // Missing is what was captured meanwhile, and nothing else.
      #expect(abs(Double(media.missingPictures - subject.picturesNeverTaken) - lost * 30 / 1000) <= 2)
      let offset = try #require(media.report.offset)
      #expect(offset.maximum - offset.minimum <= 20)
    }
  }

  @Test func `and when I enter the background and come back, then a new broadcast is started`() throws {
    subject.signal(SIGUSR1)
    #expect(waitFor("interrupted"))
    subject.signal(SIGTSTP)
    #expect(waitFor("ended"))
    #expect(HoldfastSubject.wait { subject.isStopped })
    subject.signal(SIGCONT)
    #expect(waitFor("live", times: 2), "\(subject.said)")
    #expect(pictures(60))
    subject.finish()
    #expect(server.publishes().map(\.type) == ["record", "record"])
    #expect(folder.recordings.count == 2)
    #expect(subject.events("resumed").isEmpty)
    #expect(Set(subject.events("live").compactMap { $0["broadcast"] as? String }).count == 2)
    #expect(subject.events("ended").map { $0["reason"] as? String } == ["background", "stopped"])
  }

  @Test func `an interruption that comes while the return is under way keeps it interrupted`() throws {
    subject.signal(SIGUSR1)
    #expect(waitFor("interrupted"))
    #expect(HoldfastSubject.wait { subject.changes(ofOutputTo: server.port).last?.state == "closed" })
    subject.signal(SIGUSR2)
    usleep(10_000)
    subject.signal(SIGUSR1)
    #expect(waitFor("interrupted", times: 2))
    usleep(700_000)
    let recorded = tail.tags.count
    usleep(700_000)
    #expect(tail.tags.count == recorded)
    let resumed = subject.events("resumed").count
    subject.signal(SIGUSR2)
    #expect(waitFor("resumed", times: resumed + 1), "\(subject.said)")
    let before = tail.tags.count { $0.kind == .video }
    #expect(pictures(before + 30), "\(subject.said)")
    subject.finish()
    #expect(folder.recordings.count == 1)
    #expect(try ServerMedia(path: try #require(subject.recording)).isMonotone)
  }

  @Test func `twenty interruptions leave one recording, with picture and sound in step`() throws {
    for round in 1...20 {
      subject.signal(SIGUSR1)
      #expect(waitFor("interrupted", times: round))
      usleep(UInt32(20_000 * round))
      subject.signal(SIGUSR2)
      #expect(waitFor("resumed", times: round), "\(subject.said)")
      usleep(UInt32(400_000 - 15_000 * round))
    }
    let before = tail.tags.count { $0.kind == .video }
    #expect(pictures(before + 30))
    subject.finish()
    #expect(folder.recordings.count == 1)
    let gaps = subject.events("gap").filter { $0["cause"] as? String == "user" }
    #expect(gaps.count == 20)
    let lost = gaps.reduce(0) { $0 + (($1["lostMs"] as? [String: Double])?["video"] ?? 0) } * 30 / 1000
    let media = try ServerMedia(path: try #require(subject.recording))
    #expect(media.isMonotone && media.hasBothTracksFromTheStart)
    #expect(media.report.repeated == 0 && media.report.goingBack == 0 && media.report.unreadable == 0)
    #expect(abs(Double(media.missingPictures - subject.picturesNeverTaken) - lost) <= 20)
    // Pictures that a busy machine could not take have their time all the same.
    let taken = Double(media.report.pictures + subject.picturesNeverTaken)
    #expect(abs(media.audioSeconds - taken / 30) < 0.1, "\(subject.said)")
  }

  @Test func `what a frozen server did not take before the end is named`() throws {
    server.freeze()
    usleep(300_000)
    subject.finish()
    let lost = subject.events("gap").filter { $0["output"] as? String != nil }
      .reduce(0) { $0 + (($1["lostMs"] as? [String: Double])?["video"] ?? 0) }
    // What it had not yet answered when it froze, and all that came later.
    #expect(lost >= 250 && lost < 2500, "\(subject.said)")
    #expect(subject.events("ended").last?["reason"] as? String == "stopped")
  }
}
