import Foundation
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

/// Interruption, resumption and background of the whole program with a real server.
@Suite(.realTime) struct InterruptionTests {
  private let folder = ScratchFolder()
  private let server: NginxRTMP
  private let tail: FLVTail
  private let subject: HoldfastSubject

  /// Starts a broadcast, and waits until the server has two seconds of it.
  init() throws {
    server = try NginxRTMP(in: folder)
    tail = FLVTail(path: server.recording("typed", "porch"))
    subject = try HoldfastSubject(to: [server.url("typed", "porch")], in: folder)
    #expect(tail.hasPictures(moreThan: 60), "\(subject.log)")
  }

  /// Waits until the server has written all of a publish that has ended.
  private func hasLeft() -> Bool {
    guard subject.reports("closed", ofOutputTo: server.port),
      eventually({ server.departures().count == server.publishes().count })
    else { return false }
    // What reads the file may be behind.
    return eventually {
      let before = tail.tags.count
      usleep(300_000)
      return tail.tags.count == before
    }
  }

  /// Waits until the server has this many more pictures.
  private func isReceived(_ pictures: Int) -> Bool {
    let before = tail.tags.count { $0.kind == .video }
    return tail.hasPictures(moreThan: before + pictures)
  }

  /// The milliseconds of the picture reported missing at the server only.
  private var lost: Double {
    subject.lines.lost("video") { $0["output"] as? String == "rtmp-1" }.reduce(0, +)
  }

  @Test func `given I have started a broadcast, when I receive an interrupt, then my recording is paused`()
    throws
  {
    try subject.interrupt()
    #expect(hasLeft(), "\(subject.log)")
    // The tags at the server, and the pictures in the file.
    func recorded() throws -> [Int] {
      [tail.tags.count, try RecordingMarks(path: try #require(subject.recording)).report.pictures]
    }
    let before = try recorded()
    usleep(1_000_000)
    #expect(try recorded() == before)
    #expect(before[1] > 50 && subject.values("cause", of: "interrupted").first == "user")
    subject.finish()
    #expect(server.publishes().map(\.type) == ["record"])
  }

  @Test func `given an interrupt, when I return, then my recording is resumed where it was interrupted`()
    throws
  {
    try subject.interrupt()
    usleep(1_500_000)
    try subject.resume()
    #expect(isReceived(60), "\(subject.log)")
    subject.finish()
    #expect(server.publishes().map(\.type) == ["record", "append"])
    #expect(folder.recordings.count == 1 && subject.interruptedPictures > 0)
    for path in [server.recording("typed", "porch"), try #require(subject.recording)] {
      let media = try ServerMedia(path: path)
      // Only what was captured meanwhile is missing.
      let isExplained = subject.unexplainedLosses(in: media) <= 2
      #expect(media.isFaultless && isExplained, "\(path): \(media.report)\n\(subject.log)")
      #expect(try #require(media.report.offsetSpread) <= 20)
    }
  }

  @Test func `given an interrupt, when I enter the background and return, then a new broadcast is started`()
    throws
  {
    try subject.interrupt()
    subject.signal(SIGTSTP)
    #expect(subject.reports("ended") && eventually { subject.isStopped })
    subject.signal(SIGCONT)
    #expect(subject.reports("live", times: 2) && tail.hasPictures(moreThan: 60), "\(subject.log)")
    subject.finish()
    #expect(server.publishes().map(\.type) == ["record", "record"])
    #expect(folder.recordings.count == 2 && Set(subject.values("broadcast", of: "live")).count == 2)
    #expect(subject.events("resumed").isEmpty)
    #expect(subject.values("reason", of: "ended") == ["background", "stopped"])
  }

  @Test func `an interruption during a resumption keeps the broadcast interrupted`() throws {
    try subject.interrupt()
    #expect(subject.reports("closed", ofOutputTo: server.port))
    #expect(subject.interruptReturn(after: 10_000) && hasLeft(), "\(subject.log)")
    let recorded = tail.tags.count
    usleep(700_000)
    #expect(tail.tags.count == recorded)
    let resumed = subject.events("resumed").count
    try subject.resume(times: resumed + 1)
    #expect(isReceived(30), "\(subject.log)")
    subject.finish()
    #expect(try folder.recordings.count == 1 && ServerMedia(path: folder.recording()).isMonotone)
  }

  @Test func `twenty interruptions leave one recording, with picture and sound in step`() throws {
    for round in 1...20 {
      try subject.interrupt(times: round)
      usleep(UInt32(20_000 * round))
      try subject.resume(times: round)
      usleep(UInt32(400_000 - 15_000 * round))
    }
    #expect(isReceived(30))
    subject.finish()
    let gaps = subject.values("cause", of: "gap").count { $0 == "user" }
    #expect((folder.recordings.count, gaps) == (1, 20), "\(subject.log)")
    let media = try ServerMedia(path: try #require(subject.recording))
    let isExplained = subject.unexplainedLosses(in: media) <= 20
    #expect(media.isFaultless && isExplained, "\(media.report)\n\(subject.log)")
    // Pictures that a busy machine did not capture take up time nevertheless.
    let taken = Double(media.report.pictures + subject.uncapturedPictures)
    #expect(abs(media.audioSeconds - taken / 30) < 0.1, "\(subject.log)")
  }

  @Test(arguments: [false, true])
  func `what a frozen server reads once it is thawed is not reported as lost`(isInterrupted: Bool) throws {
    server.freeze()
    #expect(subject.reports("waiting", ofOutputTo: server.port))
    if isInterrupted { try subject.interrupt() }
    server.thaw()
    if isInterrupted { try subject.resume() }
    #expect(subject.reports("publishing", ofOutputTo: server.port) && isReceived(30), "\(subject.log)")
    subject.finish()
    let media = try ServerMedia(path: server.recording("typed", "porch"))
    let missing = Double(media.missingPictures - subject.uncapturedPictures)
    #expect(abs(missing - subject.interruptedPictures - lost * 30 / 1000) <= 2, "\(subject.log)")
  }

  @Test func `media that a frozen server did not accept is reported`() throws {
    let frozen = MonotonicTime.now
    server.freeze()
    usleep(300_000)
    subject.finish()
    let time = (MonotonicTime.now - frozen).seconds * 1000
    // Media not acknowledged before the freeze, and all later media.
    #expect(lost >= 250 && lost < time + 2000, "\(subject.log)")
    #expect(subject.values("reason", of: "ended").last == "stopped")
  }
}
