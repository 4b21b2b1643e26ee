import Foundation
import TestSupport
import TestTraits
import Testing

/// The time limit of a session.
@Suite(.longRealTime) struct SessionTimeTests {
  private let folder = ScratchFolder()

  private func news(_ subject: HoldfastSubject) -> [String] { subject.values("state", of: "timer") }

  /// The delay of the reported end, in seconds.
  private func lateness(_ subject: HoldfastSubject) throws -> Double {
    let over = try #require(
      subject.events("timer").last { $0["state"] as? String == "over" }, "\(subject.log)")
    return try #require(wallSeconds(over["at"])) - #require(wallSeconds(over["endsAt"]))
  }

  @Test func `a session alerts, counts down and ends on time`() throws {
    let subject = try HoldfastSubject(options: ["--max-duration", "4", "--alert-before", "2"], in: folder)
    subject.waitForEnd()
    #expect(
      subject.status == 0 && news(subject) == ["running", "alert", "countdown", "over"], "\(subject.log)")
    #expect(subject.values("reason", of: "ended").first == "duration")
    #expect(try lateness(subject) < 5)
    let length = try #require(subject.events("ended").first?["durationMs"] as? Double)
    #expect(length > 3500 && length < 9000, "\(subject.log)")
  }

  @Test(arguments: ["interrupt", "background"])
  func `a session also ends while interrupted or in the background`(command: String) throws {
    let subject = try HoldfastSubject(options: ["--max-duration", "3"], in: folder).whenLive()
    try subject.ctl(command)
    subject.waitForEnd()
    #expect(subject.status == 0 && news(subject).last == "over", "\(subject.log)")
    #expect(subject.values("state", of: "recording").last == "finished")
  }

  @Test func `interruptions can be excluded from the time limit`() throws {
    let options = ["--max-duration", "3", "--count-interruptions=false"]
    let subject = try HoldfastSubject(options: options, in: folder).whenLive()
    try subject.ctl("interrupt")
    #expect(eventually { news(subject).contains("paused") }, "\(subject.log)")
    try subject.ctl("resume")
    subject.waitForEnd()
    let told = news(subject)
    #expect(told.last == "over" && told.count { $0 == "running" } == 2, "\(subject.log)")
    let ends = subject.events("timer").compactMap { wallSeconds($0["endsAt"]) }
    #expect(try #require(ends.last) > #require(ends.first))
  }

  @Test func `the end of a session survives a kill`() throws {
    let first = try HoldfastSubject(options: ["--max-duration", "6"], in: folder).whenLive()
    #expect(eventually { ((try? RecordingMarks(path: folder.recordings[0]))?.pictureTimes.count ?? 0) > 5 })
    first.kill()
    let second = try first.restarted()
    second.waitForEnd()
    let ends = second.events("timer").compactMap { wallSeconds($0["endsAt"]) }
    #expect(second.status == 0 && news(second).last == "over", "\(second.log)")
    #expect(try #require(ends.max()) - #require(ends.min()) < 0.05, "\(second.log)")
    #expect(try lateness(second) < 5)
    #expect(folder.recordings.count == 1 && second.events("resumed").count == 1, "\(second.log)")
  }

  @Test func `a session that expired before the restart ends at once`() throws {
    let first = try HoldfastSubject(options: ["--max-duration", "2"], in: folder).whenLive()
    let end = try #require(wallSeconds(first.events("timer").first?["endsAt"]))
    first.kill()
    #expect(eventually { Date().timeIntervalSince1970 > end })
    let second = try first.restarted()
    second.waitForEnd()
    #expect(second.status == 0 && second.events("resumed").isEmpty, "\(second.log)")
    #expect(second.values("reason", of: "ended").last == "duration", "\(second.log)")
    #expect(second.values("state", of: "recording").last == "finished", "\(second.log)")
  }
}
