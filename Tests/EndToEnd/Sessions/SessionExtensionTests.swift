import Foundation
import HoldfastMarks
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

/// Extensions of a session.
@Suite(.longRealTime) struct SessionExtensionTests {
  private let folder = ScratchFolder()

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  private typealias Answer = (answer: [String: Any], status: Int32)

  private func extend(_ subject: HoldfastSubject, _ words: String...) throws -> Answer {
    let result = try subject.ctl(["--json", "extend"] + words)
    return (try object(result.output), result.status)
  }

  private func timer(_ subject: HoldfastSubject) throws -> [String: Any] {
    try #require(try object(subject.ctl("status", "--json").output)["timer"] as? [String: Any])
  }

  private func instant(_ text: Any?) throws -> Double {
    try #require(wallSeconds(text), "\(text ?? "nothing")")
  }

  private func end(_ subject: HoldfastSubject) throws -> Double { try instant(timer(subject)["endsAt"]) }

  private func code(_ answer: [String: Any]) -> String? {
    (answer["error"] as? [String: Any])?["code"] as? String
  }

  @Test func `extensions survive a kill, and the session ends on time`() throws {
    let broadcast = try ControlledBroadcast(
      options: ["--max-duration", "15", "--max-total", "20", "--alert-before", "1"]
        + ["--await-ready", "--gate-timeout", "1m"], in: folder)
    let first = broadcast.subject
    #expect(first.reports("gate"), "\(first.log)")
    let before = try extend(first, "1s", "before")
    #expect(
      before.status == 0 && before.answer["endsAt"] is NSNull && before.answer["repeated"] as? Bool == false)
    #expect(try timer(first)["maxSeconds"] as? Double == 16)
    #expect(try first.ctl("ready").status == 0)
    #expect(first.reports("timer", times: 2), "\(first.log)")
    let started = try instant(timer(first)["startedAt"])
    #expect(try abs(end(first) - started - 16) < 0.01)

    let answers = try (1...3).map { _ in try extend(first, "2s", "during").answer }
    #expect(answers.map { $0["repeated"] as? Bool } == [false, true, true])
    #expect(try abs(end(first) - started - 18) < 0.01)
    #expect(try abs(instant(answers[0]["endsAt"]) - started - 18) < 0.01)

    let reused = try extend(first, "1s", "during")
    #expect(reused.status == 77 && code(reused.answer) == "idUsed")
    let tooMuch = try extend(first, "1h", "more")
    #expect(tooMuch.status == 77 && code(tooMuch.answer) == "limitReached")
    for (role, verdict, length) in [("participant", "403 notAllowed", 18.0), ("manager", "200", 19.0)] {
      let body: JSONValue = ["by": .integer(1), "id": "theirs"]
      let token = try broadcast.token("Somebody", role)
      let answer = try broadcast.send("POST", "/v1/extend", body, token: token)
      #expect(answer.verdict == verdict)
      #expect(try abs(end(first) - started - length) < 0.01)
    }
    #expect(first.values("state", of: "timer") == ["extended", "running", "extended", "extended"])

    first.kill()
    let second = try first.restarted()
    #expect(second.reports("resumed"), "\(second.log)")
    let again = try extend(second, "2s", "during")
    #expect(again.status == 0 && again.answer["repeated"] as? Bool == true, "\(again)")
    let told = try end(second)
    #expect(abs(told - started - 19) < 0.05)

    second.waitForEnd()
    let over = try #require(second.events("timer").last)
    #expect(over["state"] as? String == "over" && second.status == 0, "\(second.log)")
    let lateness = try instant(over["at"]) - told
    #expect(lateness > -0.05 && lateness < 5, "\(lateness)")
    // The capture time of the last picture, on the wall clock.
    let marks = try RecordingMarks(path: #require(folder.recordings.first)).pictures.compactMap(\.mark)
    let last = try #require(marks.last?.captureTime)
    let shown = Date().timeIntervalSince1970 - MonotonicTime.now.seconds + last.seconds
    #expect(shown > told - 5 && shown < told + 5, "the last picture: \(shown - told) s")
    print("over \(Int(lateness * 1000)) ms late, the last picture \(Int((shown - told) * 1000)) ms")
  }

  @Test func `a session without a limit cannot be extended`() throws {
    let subject = try HoldfastSubject(in: folder).whenLive()
    let answer = try extend(subject, "10m", "a")
    #expect(answer.status == 77 && code(answer.answer) == "noLimit")
    #expect(try timer(subject)["state"] as? String == "off")
    subject.finish()
    #expect(subject.events("timer").isEmpty)
  }

  @Test func `an extension in the last seconds is followed by another alert`() throws {
    let subject = try HoldfastSubject(options: ["--max-duration", "4", "--alert-before", "3"], in: folder)
    func told() -> [String] { subject.values("state", of: "timer") }
    #expect(eventually { told().contains("alert") }, "\(subject.log)")
    #expect(try extend(subject, "5s", "a").status == 0)
    subject.waitForEnd()
    let changes = told().filter { $0 != "countdown" }
    #expect(changes == ["running", "alert", "extended", "alert", "over"], "\(subject.log)")
    #expect(subject.values("reason", of: "ended").first == "duration")
    let length = try #require(subject.events("ended").first?["durationMs"] as? Double)
    #expect(abs(length - 9000) < 500, "\(length)")
  }
}
