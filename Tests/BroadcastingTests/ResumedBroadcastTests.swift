import HoldfastMediaModel
import HoldfastRecording
import Testing

@testable import HoldfastBroadcasting

/// How a start takes over a broadcast that another process has left behind.
@Suite struct ResumedBroadcastTests {
  private static func instant(_ second: Double) -> JournalInstant {
    JournalInstant(
      wall: WallTime(nanoseconds: 1_795_234_930_000_000_000 + Int64(second * 1e9)),
      sinceBoot: MediaTime(seconds: 5000 + second), bootID: "boot")
  }

  private static func line(_ second: Double, _ name: String, _ rest: String) -> String {
    let instant = instant(second)
    return #"{"event":"\#(name)","at":"\#(instant.wall.rfc3339)","bootNs":\#(instant.sinceBoot.nanoseconds),"#
      + #""boot":"boot",\#(rest)}"# + "\n"
  }

  /// Live after a second, with media until 10 s.
  private func resumed(_ further: String = "", recording: String = "null") throws -> ResumedBroadcast {
    let text =
      Self.line(
        0, "began", #""schema":1,"broadcast":"b","name":"hall","recording":\#(recording),"tracks":null"#)
      + Self.line(1, "live", #""publishType":"record""#)
      + Self.line(11, "checkpoint", #""mediaNs":10000000000"#) + further
    let broadcast = try #require(UnfinishedBroadcast(Journal(Array(text.utf8))))
    var notes: [String] = []
    let taken = ResumedBroadcast(broadcast, Configuration()) { notes.append($0) }
    #expect(notes.isEmpty == (recording == "null"))
    return taken
  }

  @Test func `a broadcast without a recording resumes at its last known media time`() throws {
    let taken = try resumed()
    #expect(taken.mediaEnd == .seconds(10) && taken.base == .seconds(10) && taken.recording == nil)
    #expect(taken.length(until: Self.instant(14)) == .seconds(3) && taken.cause == .crash)
  }

  @Test(arguments: [(31, 100), (9000, 120)] as [(Double, Int64)])
  func `the resume window counts from the last sign of life, and is whole again once it has passed`(
    second: Double, left: Int64
  ) throws {
    #expect(try resumed().resumption(at: Self.instant(second)).windowLeft == .seconds(left))
  }

  @Test func `a crash during an interruption keeps the interruption's cause and start`() throws {
    let interrupted = Self.line(
      12, "interrupted", #""cause":"user","mediaNs":11000000000,"resumableUntil":null"#)
    let taken = try resumed(interrupted)
    #expect(taken.cause == .user && taken.length(until: Self.instant(20)) == .seconds(8))
    #expect(taken.resumption(at: Self.instant(20)).windowLeft == .seconds(112))
  }

  @Test func `a missing recording is noted, and recording continues in a new part`() throws {
    let taken = try resumed(recording: #""/nowhere/hall-20261121T042210Z.mp4""#)
    #expect(taken.recording == .new("/nowhere/hall-20261121T042210Z-2.mp4", origin: taken.base))
  }
}
