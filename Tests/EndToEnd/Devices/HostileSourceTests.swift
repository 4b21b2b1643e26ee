import Foundation
import TestSupport
import TestTraits
import Testing

/// A picture from a server that lies, breaks off or never ends, beside the test tone.
@Suite(.realTime, .long()) struct HostileSourceTests {
  enum Outcome: Hashable {
    /// The start fails, and says why; on a machine too busy to find out in time, the source is waited for.
    case refused(String)
    /// A slate stands for the picture; the loss is told with this cause.
    case lost(String)
    /// Pictures are shown.
    case shown
    /// The same, but so few that the tracks may end more than half a second apart, or that none comes in time.
    case sparse
  }

  private let folder = ScratchFolder()

  @Test(
    arguments: [
      (.randomFLV, .lost("no data")), (.randomInFLV, .lost("no data")), (.randomInTS, .shown),
      (.stampsBack, .shown), (.stampsJump, .shown), (.stampsStandStill, .shown), (.noStamps, .shown),
      (.fast, .shown), (.slow, .sparse), (.changesRate, .shown), (.drips, .lost("no data")),
      (.freezes, .lost("no data")), (.freezesAtOnce, .lost("no data")),
      (.hugeH264, .refused("its size is unknown")), (.hugeJPEG, .refused("its size is unknown")),
      (.emptyJPEG, .refused("its size is unknown")), (.redirectsToFile, .lost("must not open")),
      (.redirectsToRTMP, .lost("must not open")), (.redirectsForEver, .lost("without end")),
      (.endlessHeader, .lost("no data")), (.endlessLine, .lost("no data")),
      (.endlessPlaylists, .refused("too much")), (.manyPlaylists, .refused("too much")),
      (.hugePlaylist, .refused("too much")), (.rtspRandom, .sparse), (.rtspGarbage, .lost("no data")),
      (.rtspHuge, .lost("no data")), (.rtspFreezes, .lost("no data")), (.rtspDrips, .lost("no data")),
      (.rtspEndlessHeader, .lost("no data")), (.rtspHugeDescription, .refused("too much")),
      (.rtspRedirects, .refused("can't be used")), (.rtspRedirectsForEver, .lost("no data")),
      (.rtmpRandom, .lost("breaks off")), (.rtmpFreezes, .lost("no data")),
    ] as [(HostileSource.Habit, Outcome)])
  func `a hostile source costs its own track at most`(habit: HostileSource.Habit, outcome: Outcome) throws {
    let source = try HostileSource(habit, in: ScratchFolder())
    let subject = try HoldfastSubject(options: ["--video", source.address], in: folder)
    if case .refused(let why) = outcome {
      #expect(eventually { !(subject.events("live") + subject.events("ended")).isEmpty }, "\(subject.log)")
      guard subject.events("live").isEmpty else { return subject.finish() }
      subject.waitForEnd()
      #expect(subject.status == 66 && subject.log.contains(why), "\(subject.log)")
      return
    }
    #expect(try subject.whenLive().play(1.5), "\(subject.log)")
    // On a busy machine the first picture may come after the start.
    if case .shown = outcome { _ = eventually { hasShown(subject) } }
    let peak = try #require(ProcessFigures(of: subject.identifier)).peakKilobytes
    let asked = Date()
    subject.finish()
    #expect(Date().timeIntervalSince(asked) < 20)
    #expect(peak < 220 << 10)
    #expect(subject.status == 0)
    let path = try #require(subject.recording)
    let states = subject.events("device").filter { $0["track"] as? String == "video" }
    switch outcome {
    case .sparse: #expect(!states.isEmpty, "\(subject.log)")
    case .shown: #expect(hasShown(subject), "\(subject.log)")
    case .lost(let why):
      #expect(states.contains { ($0["cause"] as? String)?.contains(why) == true }, "\(subject.log)")
    case .refused: break
    }
    let complaint = try folder.complaint()
    // Without stamps, pictures have the times of their arrival, which has holes on a busy machine.
    #expect(complaint == nil || outcome == .sparse || habit == .noStamps)
    #expect(try RecordingMarks(path: path).audioSeconds > 1.4)
  }

  private func hasShown(_ subject: HoldfastSubject) -> Bool {
    subject.events("device").contains {
      $0["track"] as? String == "video" && ["open", "back"].contains($0["state"] as? String)
    }
  }
}
