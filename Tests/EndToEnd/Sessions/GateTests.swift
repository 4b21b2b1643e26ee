import Foundation
import HoldfastMediaModel
import TestSupport
import TestTraits
import Testing

/// Gates, which decide whether a broadcast goes live.
@Suite(.realTime) struct GateTests {
  private let folder = ScratchFolder()

  private func start(_ options: String..., untilItsEnd: Bool = false) throws -> HoldfastSubject {
    let subject = try HoldfastSubject(options: options, in: folder)
    if untilItsEnd { subject.waitForEnd() }
    return subject
  }

  private func verdicts(_ subject: HoldfastSubject) -> [String] { subject.values("verdict", of: "gate") }

  /// What a gate's command has written to `number`; nil until then.
  private var number: pid_t? { contents("number").flatMap { pid_t($0) } }

  /// A command that was ended before it wrote its number is not.
  private var isAlive: Bool { number.map { kill($0, 0) == 0 } ?? false }

  private func contents(_ file: String) -> String? {
    (try? String(contentsOfFile: folder.file(file), encoding: .utf8))?.trimmingCharacters(in: .newlines)
  }

  @Test func `a gate's command and a recording's command get no variable that holds an address`() throws {
    let (asked, finished) = (folder.file("asked"), folder.file("finished"))
    let subject = try HoldfastSubject(
      to: ["env:STUDIO"], environment: ["STUDIO": "rtmp://127.0.0.1:1/live/s3cret", "OTHER": "fine"],
      options: ["--duration", "1", "--gate", "env > '\(asked)'", "--on-segment", "env > '\(finished)'"],
      in: folder)
    subject.waitForEnd()
    #expect(subject.status == 69)
    for file in [asked, finished] {
      let variables = try String(contentsOfFile: file, encoding: .utf8)
      #expect(variables.contains("OTHER=fine") && !variables.contains("s3cret"))
    }
  }

  @Test func `a gate receives the name and the occasion`() throws {
    let seen = folder.file("seen")
    let subject = try start(
      "--duration", "1", "--name", "hall", "--gate",
      "echo \"$1 $HOLDFAST_GATE_NAME $HOLDFAST_GATE_OCCASION\" > '\(seen)'", untilItsEnd: true)
    #expect(subject.status == 0 && verdicts(subject) == ["asked", "passed"], "\(subject.log)")
    #expect(contents("seen") == "start hall start")
  }

  @Test func `while the gate is pending, the broadcast is starting and nothing is recorded`() throws {
    let open = folder.file("open")
    let subject = try start(
      "--duration", "1", "--gate", "while [ ! -e '\(open)' ]; do sleep 0.02; done", "--gate-timeout", "1m")
    #expect(eventually { verdicts(subject) == ["asked"] }, "\(subject.log)")
    #expect(try subject.ctl("status").output.contains("starting") && folder.recordings.isEmpty)
    #expect(FileManager.default.createFile(atPath: open, contents: nil))
    subject.waitForEnd()
    #expect(folder.recordings.count == 1, "\(subject.log)")
  }

  @Test(arguments: [false, true])
  func `a server sees no publish before the gate has passed, though it closes the connection`(
    closes: Bool
  ) throws {
    let server = try NginxRTMP(in: folder)
    let proxy = try FaultProxy(to: server.port)
    let open = folder.file("open")
    let subject = try HoldfastSubject(
      to: ["rtmp://127.0.0.1:\(proxy.port)/typed/porch"],
      options: [
        "--record", "off", "--duration", "1", "--gate", "while [ ! -e '\(open)' ]; do sleep 0.02; done",
        "--gate-timeout", "1m",
      ], in: folder)
    #expect(eventually { verdicts(subject) == ["asked"] }, "\(subject.log)")
    if closes { try proxy.perform(.reset) }
    #expect(server.publishes().isEmpty && FileManager.default.createFile(atPath: open, contents: nil))
    subject.waitForEnd()
    #expect(server.publishes().map(\.type) == ["record"], "\(subject.log)")
    let states = subject.changes(ofOutputTo: proxy.port).map(\.state)
    #expect(subject.status == 0 && states == ["connecting", "publishing", "closed"], "\(subject.log)")
  }

  @Test(arguments: [
    ("echo the hall is empty; exit 3", "the hall is empty"),
    ("kill -SEGV $$", "its command was killed by signal 11"), ("exit 1", "its command exited with status 1"),
    ("yes no | head -n 300000; exit 1", "no"),
  ])
  func `a gate's refusal ends the start with its reason`(command: String, reason: String) throws {
    let subject = try start("--gate", command, untilItsEnd: true)
    #expect(subject.status == 77 && subject.values("reason", of: "gate").last == reason, "\(subject.log)")
    #expect(subject.values("reason", of: "ended").first == "gateRefused")
    #expect(
      subject.log.contains("the gate refused: \(reason)") && folder.recordings.isEmpty, "\(subject.log)")
  }

  @Test(arguments: [("pass", 0, "duration"), ("refuse", 77, "gateTimedOut")] as [(String, Int32, String)])
  func `a hanging gate is killed at its time limit`(policy: String, status: Int32, reason: String) throws {
    let file = folder.file("number")
    let subject = try start(
      "--duration", "1", "--gate", "trap '' TERM; echo $$ > '\(file)'; while :; do sleep 1; done",
      "--gate-timeout", "300ms", "--on-gate-timeout", policy, untilItsEnd: true)
    #expect(verdicts(subject) == ["asked", "timedOut"], "\(subject.log)")
    #expect(subject.status == status && subject.values("reason", of: "ended").first == reason)
    #expect(eventually { !isAlive })
  }

  @Test func `processes started by a gate end with it`() throws {
    let file = folder.file("number")
    let command = "sleep 1000 & echo $! > '\(file)'"
    let subject = try start("--duration", "1", "--gate", command, untilItsEnd: true)
    #expect(subject.status == 0 && number != nil && eventually { !isAlive }, "\(subject.log)")
  }

  @Test func `a stop cancels the gate`() throws {
    let file = folder.file("number")
    let subject = try start("--gate", "echo $$ > '\(file)'; exec sleep 1000", "--gate-timeout", "1m")
    #expect(eventually { number != nil && verdicts(subject) == ["asked"] }, "\(subject.log)")
    subject.finish()
    #expect(subject.status == 0 && verdicts(subject) == ["asked"], "\(subject.log)")
    #expect(eventually { !isAlive })
  }

  @Test func `a gate for resumptions delays a resumption`() throws {
    let times = folder.file("times")
    let subject = try start("--gate", "echo $1 >> '\(times)'", "--gate-on-resume").whenLive()
    try subject.interrupt()
    try subject.resume()
    subject.finish()
    #expect(verdicts(subject) == ["asked", "passed", "asked", "passed"], "\(subject.log)")
    #expect(contents("times") == "start\nresume" && folder.recordings.count == 1)
  }

  @Test func `a refused resumption ends the broadcast and finishes the recording`() throws {
    let subject = try start("--gate", "test $1 = start", "--gate-on-resume").whenLive()
    try subject.ctl("interrupt")
    #expect(subject.reports("interrupted"), "\(subject.log)")
    try subject.ctl("resume")
    subject.waitForEnd()
    #expect(
      subject.status == 77 && subject.values("state", of: "recording").last == "finished", "\(subject.log)")
  }

  @Test func `a gate's verdicts are recorded in the journal`() throws {
    _ = try start("--duration", "1", "--gate", "true", untilItsEnd: true)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let journals = paths.filter { $0.hasSuffix(".jsonl") }
    let text = try journals.map { try String(contentsOfFile: folder.file($0), encoding: .utf8) }.joined()
    #expect(text.contains(#""verdict":"asked""#) && text.contains(#""verdict":"passed""#), "\(text)")
  }

  private func ask(
    _ broadcast: ControlledBroadcast, _ path: String, _ body: JSONValue? = nil, as name: String,
    _ role: String = "participant"
  ) throws -> HubClient.Answer {
    try broadcast.send("POST", path, body, token: broadcast.token(name, role))
  }

  private func awaitingReady() throws -> ControlledBroadcast {
    let options = ["--await-ready", "--gate-timeout", "1m", "--preview"]
    let broadcast = try ControlledBroadcast(options: options, in: folder)
    #expect(broadcast.subject.reports("previewing"), "\(broadcast.subject.log)")
    return broadcast
  }

  @Test func `a participant says ready, but not to their own start, and the event says who`() throws {
    let broadcast = try awaitingReady()
    let (ready, subject): (JSONValue, _) = (["ready": .bool(true)], broadcast.subject)
    #expect(try ask(broadcast, "/v1/start", as: "Anna", "host").status == 200)
    #expect(subject.reports("gate"), "\(subject.log)")
    let own = try ask(broadcast, "/v1/ready", ready, as: "Anna", "host")
    #expect(own.status == 403 && own.text.contains("Anna started this broadcast"), "\(own)")
    let refusal = try ask(broadcast, "/v1/ready", ["ready": .bool(false)], as: "Pia")
    #expect(refusal.status == 403 && refusal.text.contains("a participant may not refuse"), "\(refusal)")
    #expect(try ask(broadcast, "/v1/ready", ready, as: "Pia").status == 200)
    #expect(subject.reports("live"), "\(subject.log)")
    #expect(try subject.ctl("status", "--json").output.contains(#""by":"Pia""#))
    let late = try ask(broadcast, "/v1/ready", ready, as: "Max", "manager")
    #expect(late.status == 409 && verdicts(subject) == ["asked", "passed"], "\(late)\n\(subject.log)")
    #expect(subject.values("by", of: "gate").last == "Pia", "\(subject.log)")
    subject.finish()
  }

  @Test func `ready and a refusal before the question count as soon as it is asked`() throws {
    let broadcast = try awaitingReady()
    let subject = broadcast.subject
    let body: JSONValue = ["ready": .bool(false), "reason": "too dark"]
    #expect(try ask(broadcast, "/v1/ready", body, as: "Max", "manager").status == 200)
    #expect(try ask(broadcast, "/v1/start", as: "Anna", "host").status == 200)
    #expect(subject.reports("gate", times: 2), "\(subject.log)")
    #expect(subject.values("reason", of: "gate").last == "too dark")
    #expect(subject.reports("previewing", times: 2), "\(subject.log)")
    #expect(try ask(broadcast, "/v1/ready", ["ready": .bool(true)], as: "Pia").status == 200)
    #expect(try ask(broadcast, "/v1/start", as: "Anna", "host").status == 200)
    #expect(subject.reports("live"), "\(subject.log)")
    #expect(verdicts(subject) == ["asked", "refused", "asked", "passed"], "\(subject.log)")
    #expect(subject.values("by", of: "gate") == ["Max", "Pia"])
    subject.finish()
  }

  @Test func `the user at the machine says ready to a start by the command line`() throws {
    let subject = try start("--await-ready", "--gate-timeout", "1m", "--duration", "1")
    #expect(try subject.reports("gate") && subject.ctl("ready").status == 0, "\(subject.log)")
    subject.waitForEnd()
    #expect(verdicts(subject) == ["asked", "passed"] && subject.values("by", of: "gate") == ["local"])
  }
}
