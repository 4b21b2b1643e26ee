import Foundation
import TestSupport
import TestTraits
import Testing

/// How long a session may last, in the whole program.
@Suite(.longRealTime) struct SessionTimeTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func news(_ subject: HoldfastSubject) -> [String] {
    subject.events("timer").compactMap { $0["state"] as? String }
  }

  private func instant(_ text: Any?) -> Double? {
    let reader = ISO8601DateFormatter()
    reader.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return (text as? String).flatMap(reader.date)?.timeIntervalSince1970
  }

  /// How late the end was told, in seconds.
  private func lateness(_ subject: HoldfastSubject) throws -> Double {
    let over = try #require(
      subject.events("timer").last { $0["state"] as? String == "over" }, "\(subject.said)")
    return try #require(instant(over["at"])) - #require(instant(over["endsAt"]))
  }

  @Test func `it alerts, counts down and ends as asked`() throws {
    let subject = try HoldfastSubject(
      to: [], options: ["--max-duration", "4", "--alert-before", "2"], in: folder)
    subject.waitForEnd()
    #expect(
      subject.status == 0 && news(subject) == ["running", "alert", "countdown", "over"], "\(subject.said)")
    #expect(subject.events("ended").first?["reason"] as? String == "duration")
    #expect(try lateness(subject) < 0.5)
    let length = try #require(subject.events("ended").first?["durationMs"] as? Double)
    #expect(abs(length - 4000) < 500, "\(subject.said)")
  }

  @Test func `it ends while interrupted, too`() throws {
    let subject = try HoldfastSubject(to: [], options: ["--max-duration", "3"], in: folder)
    #expect(HoldfastSubject.wait { subject.events("live").count == 1 }, "\(subject.said)")
    try subject.ctl("interrupt")
    subject.waitForEnd()
    #expect(subject.status == 0 && news(subject).last == "over", "\(subject.said)")
    #expect(subject.events("recording").last?["state"] as? String == "finished")
  }

  @Test func `it ends in the background, too`() throws {
    let subject = try HoldfastSubject(to: [], options: ["--max-duration", "3"], in: folder)
    #expect(HoldfastSubject.wait { subject.events("live").count == 1 }, "\(subject.said)")
    try subject.ctl("background")
    subject.waitForEnd()
    #expect(subject.status == 0 && news(subject).last == "over", "\(subject.said)")
  }

  @Test func `its time stands still while it is interrupted, where that is asked for`() throws {
    let subject = try HoldfastSubject(
      to: [], options: ["--max-duration", "3", "--count-interruptions=false"], in: folder)
    #expect(HoldfastSubject.wait { subject.events("live").count == 1 }, "\(subject.said)")
    try subject.ctl("interrupt")
    #expect(HoldfastSubject.wait { news(subject).contains("paused") }, "\(subject.said)")
    try subject.ctl("resume")
    subject.waitForEnd()
    let all = subject.events("timer")
    #expect(
      news(subject).last == "over" && news(subject).filter { $0 == "running" }.count == 2, "\(subject.said)")
    let ends = all.compactMap { instant($0["endsAt"]) }
    #expect(try #require(ends.last) > #require(ends.first))
  }

  @Test func `it survives a kill, and ends when it was to`() throws {
    let options = ["--max-duration", "6", "--record", folder.path]
    let state = try ScratchFolder()
    func start() throws -> HoldfastSubject {
      try HoldfastSubject(to: [], environment: ["XDG_STATE_HOME": state.path], options: options, in: folder)
    }
    let first = try start()
    #expect(HoldfastSubject.wait { first.events("live").count == 1 }, "\(first.said)")
    #expect(
      HoldfastSubject.wait {
        ((try? RecordingMarks(path: folder.recordings[0]))?.pictureTimes.count ?? 0) > 5
      })
    first.signal(SIGKILL)
    first.waitForEnd()
    let second = try start()
    second.waitForEnd()
    let ends = second.events("timer").compactMap { instant($0["endsAt"]) }
    #expect(second.status == 0 && news(second).last == "over", "\(second.said)")
    #expect(try #require(ends.max()) - #require(ends.min()) < 0.05, "\(second.said)")
    #expect(try lateness(second) < 0.5)
    #expect(folder.recordings.count == 1 && second.events("resumed").count == 1, "\(second.said)")
  }

  @Test func `a time that was over before the restart ends it at once`() throws {
    let state = try ScratchFolder()
    func start() throws -> HoldfastSubject {
      try HoldfastSubject(
        to: [], environment: ["XDG_STATE_HOME": state.path], options: ["--max-duration", "2"], in: folder)
    }
    let first = try start()
    #expect(HoldfastSubject.wait { first.events("live").count == 1 }, "\(first.said)")
    let end = try #require(instant(first.events("timer").first?["endsAt"]))
    first.signal(SIGKILL)
    first.waitForEnd()
    #expect(HoldfastSubject.wait { Date().timeIntervalSince1970 > end })
    let second = try start()
    second.waitForEnd()
    #expect(second.status == 0 && second.events("resumed").isEmpty, "\(second.said)")
    #expect(second.events("ended").last?["reason"] as? String == "duration", "\(second.said)")
    #expect(second.events("recording").last?["state"] as? String == "finished", "\(second.said)")
  }
}
