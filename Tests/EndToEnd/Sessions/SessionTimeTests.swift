import Foundation
import TestSupport
import TestTraits
import Testing

/// How long a session may last, in the whole program.
@Suite(.longRealTime) struct SessionTimeTests {
  private let folder = ScratchFolder()

  private func news(_ subject: HoldfastSubject) -> [String] {
    subject.values("state", of: "timer")
  }

  /// How late the end was told, in seconds.
  private func lateness(_ subject: HoldfastSubject) throws -> Double {
    let over = try #require(
      subject.events("timer").last { $0["state"] as? String == "over" }, "\(subject.said)")
    return try #require(wallSeconds(over["at"])) - #require(wallSeconds(over["endsAt"]))
  }

  @Test func `it alerts, counts down and ends as asked`() throws {
    let subject = try HoldfastSubject(options: ["--max-duration", "4", "--alert-before", "2"], in: folder)
    subject.waitForEnd()
    #expect(
      subject.status == 0 && news(subject) == ["running", "alert", "countdown", "over"], "\(subject.said)")
    #expect(subject.values("reason", of: "ended").first == "duration")
    #expect(try lateness(subject) < 0.5)
    let length = try #require(subject.events("ended").first?["durationMs"] as? Double)
    #expect(abs(length - 4000) < 500, "\(subject.said)")
  }

  @Test(arguments: ["interrupt", "background"])
  func `it ends while interrupted and in the background, too`(command: String) throws {
    let subject = try HoldfastSubject(options: ["--max-duration", "3"], in: folder)
    #expect(subject.reports("live"), "\(subject.said)")
    try subject.ctl(command)
    subject.waitForEnd()
    #expect(subject.status == 0 && news(subject).last == "over", "\(subject.said)")
    #expect(subject.values("state", of: "recording").last == "finished")
  }

  @Test func `its time stands still while it is interrupted, where that is asked for`() throws {
    let subject = try HoldfastSubject(
      options: ["--max-duration", "3", "--count-interruptions=false"], in: folder)
    #expect(subject.reports("live"), "\(subject.said)")
    try subject.ctl("interrupt")
    #expect(eventually { news(subject).contains("paused") }, "\(subject.said)")
    try subject.ctl("resume")
    subject.waitForEnd()
    let all = subject.events("timer")
    #expect(
      news(subject).last == "over" && news(subject).filter { $0 == "running" }.count == 2, "\(subject.said)")
    let ends = all.compactMap { wallSeconds($0["endsAt"]) }
    #expect(try #require(ends.last) > #require(ends.first))
  }

  @Test func `it survives a kill, and ends when it was to`() throws {
    let first = try HoldfastSubject(options: ["--max-duration", "6"], in: folder)
    #expect(first.reports("live"), "\(first.said)")
    #expect(
      eventually {
        ((try? RecordingMarks(path: folder.recordings[0]))?.pictureTimes.count ?? 0) > 5
      })
    first.kill()
    let second = try first.restarted()
    second.waitForEnd()
    let ends = second.events("timer").compactMap { wallSeconds($0["endsAt"]) }
    #expect(second.status == 0 && news(second).last == "over", "\(second.said)")
    #expect(try #require(ends.max()) - #require(ends.min()) < 0.05, "\(second.said)")
    #expect(try lateness(second) < 0.5)
    #expect(folder.recordings.count == 1 && second.events("resumed").count == 1, "\(second.said)")
  }

  @Test func `a time that was over before the restart ends it at once`() throws {
    let first = try HoldfastSubject(options: ["--max-duration", "2"], in: folder)
    #expect(first.reports("live"), "\(first.said)")
    let end = try #require(wallSeconds(first.events("timer").first?["endsAt"]))
    first.kill()
    #expect(eventually { Date().timeIntervalSince1970 > end })
    let second = try first.restarted()
    second.waitForEnd()
    #expect(second.status == 0 && second.events("resumed").isEmpty, "\(second.said)")
    #expect(second.values("reason", of: "ended").last == "duration", "\(second.said)")
    #expect(second.values("state", of: "recording").last == "finished", "\(second.said)")
  }
}
