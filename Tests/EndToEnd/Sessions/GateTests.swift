import Foundation
import TestSupport
import TestTraits
import Testing

/// Whether a broadcast may go live, in the whole program.
@Suite(.realTime) struct GateTests {
  private let folder = ScratchFolder()

  private func start(_ options: String...) throws -> HoldfastSubject {
    try HoldfastSubject(options: options, in: folder)
  }

  private func verdicts(_ subject: HoldfastSubject) -> [String] {
    subject.values("verdict", of: "gate")
  }

  private func isAlive(_ identifier: String?) -> Bool {
    guard let number = identifier.flatMap({ pid_t($0) }) else { return true }
    return kill(number, 0) == 0
  }

  private func contents(_ file: String) -> String? {
    (try? String(contentsOfFile: folder.file(file), encoding: .utf8))?.trimmingCharacters(in: .newlines)
  }

  @Test func `a gate that lets it pass gets to know what is about to go live`() throws {
    let seen = folder.file("seen")
    let subject = try start(
      "--duration", "1", "--name", "hall", "--gate",
      "echo \"$1 $HOLDFAST_GATE_NAME $HOLDFAST_GATE_OCCASION\" > '\(seen)'")
    subject.waitForEnd()
    #expect(subject.status == 0 && verdicts(subject) == ["asked", "passed"], "\(subject.said)")
    #expect(contents("seen") == "start hall start")
  }

  @Test func `while it is asked the broadcast is starting, and nothing is recorded`() throws {
    let open = folder.file("open")
    let subject = try start(
      "--duration", "1", "--gate", "while [ ! -e '\(open)' ]; do sleep 0.02; done", "--gate-timeout", "1m")
    #expect(eventually { verdicts(subject) == ["asked"] }, "\(subject.said)")
    #expect(try subject.ctl("status").output.contains("starting"))
    #expect(folder.recordings.isEmpty)
    #expect(FileManager.default.createFile(atPath: open, contents: nil))
    subject.waitForEnd()
    #expect(folder.recordings.count == 1, "\(subject.said)")
  }

  @Test(arguments: [
    ("echo the hall is empty; exit 3", "the hall is empty"),
    ("kill -SEGV $$", "its command was ended by signal 11"), ("exit 1", "its command ended with status 1"),
    ("yes no | head -n 300000; exit 1", "no"),
  ])
  func `a refusal ends the start with its reason`(command: String, reason: String) throws {
    let subject = try start("--gate", command)
    subject.waitForEnd()
    #expect(subject.status == 77, "\(subject.said)")
    #expect(subject.values("reason", of: "gate").last == reason)
    #expect(subject.values("reason", of: "ended").first == "gateRefused")
    #expect(
      subject.said.contains("the gate refused: \(reason)") && folder.recordings.isEmpty, "\(subject.said)")
  }

  @Test(arguments: [("pass", 0, "duration"), ("refuse", 77, "gateTimedOut")] as [(String, Int32, String)])
  func `a gate that hangs is bounded, and does not live on`(
    policy: String, status: Int32, reason: String
  ) throws {
    let number = folder.file("number")
    let subject = try start(
      "--duration", "1", "--gate", "trap '' TERM; echo $$ > '\(number)'; while :; do sleep 1; done",
      "--gate-timeout", "300ms", "--on-gate-timeout", policy)
    subject.waitForEnd()
    #expect(verdicts(subject) == ["asked", "timedOut"], "\(subject.said)")
    #expect(subject.status == status && subject.values("reason", of: "ended").first == reason)
    #expect(eventually { !isAlive(contents("number")) })
  }

  @Test func `what a gate has started ends with it`() throws {
    let number = folder.file("number")
    let subject = try start("--duration", "1", "--gate", "sleep 1000 & echo $! > '\(number)'")
    subject.waitForEnd()
    #expect(subject.status == 0, "\(subject.said)")
    #expect(eventually { !isAlive(contents("number")) })
  }

  @Test func `a stop while it is asked withdraws it`() throws {
    let number = folder.file("number")
    let subject = try start("--gate", "echo $$ > '\(number)'; exec sleep 1000", "--gate-timeout", "1m")
    #expect(
      eventually { contents("number") != nil && verdicts(subject) == ["asked"] }, "\(subject.said)")
    subject.finish()
    #expect(subject.status == 0 && verdicts(subject) == ["asked"], "\(subject.said)")
    #expect(!isAlive(contents("number")))
  }

  @Test func `where it is asked again, a return waits for it`() throws {
    let times = folder.file("times")
    let subject = try start("--gate", "echo $1 >> '\(times)'", "--gate-on-resume")
    #expect(subject.reports("live"), "\(subject.said)")
    try subject.ctl("interrupt")
    #expect(subject.reports("interrupted"), "\(subject.said)")
    try subject.ctl("resume")
    #expect(subject.reports("resumed"), "\(subject.said)")
    subject.finish()
    #expect(verdicts(subject) == ["asked", "passed", "asked", "passed"], "\(subject.said)")
    #expect(contents("times") == "start\nresume" && folder.recordings.count == 1)
  }

  @Test func `a refused return ends the broadcast, and what it recorded is whole`() throws {
    let subject = try start("--gate", "test $1 = start", "--gate-on-resume")
    #expect(subject.reports("live"), "\(subject.said)")
    try subject.ctl("interrupt")
    #expect(subject.reports("interrupted"), "\(subject.said)")
    try subject.ctl("resume")
    subject.waitForEnd()
    #expect(
      subject.status == 77 && subject.values("state", of: "recording").last == "finished",
      "\(subject.said)")
  }

  @Test func `each verdict stands in the journal`() throws {
    let environment = ["XDG_STATE_HOME": folder.path]
    let subject = try HoldfastSubject(
      environment: environment, options: ["--duration", "1", "--gate", "true"], in: folder)
    subject.waitForEnd()
    let journals = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".jsonl")
    }
    let text = try journals.map { try String(contentsOfFile: folder.file($0), encoding: .utf8) }.joined()
    #expect(text.contains(#""verdict":"asked""#) && text.contains(#""verdict":"passed""#), "\(text)")
  }
}
