import Foundation
import HoldfastControl
import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastCommands

@Suite struct CtlCommandTests {
  private let scratch = ScratchFolder()
  private let name = "test-\(UUID().uuidString.prefix(8))"
  private var environment: [String: String] { ["XDG_RUNTIME_DIR": scratch.path] }

  private func serve(_ result: Lifecycle.CommandResult) throws -> HTTPServer {
    var target = FakeTarget()
    target.result = { _ in result }
    return try serve(target)
  }

  private func serve(_ target: FakeTarget) throws -> HTTPServer {
    let wakeup = try Wakeup()
    let parts = ControlAPI.Parts(
      events: EventHistory(wakeup: wakeup), status: LatestStatus { target.status().description })
    return try HTTPServer(
      ControlSockets.claim(name, environment: environment), wakeup: wakeup,
      handler: ControlAPI(target, parts))
  }

  /// What `target` receives of commands that succeed.
  private func received(_ commands: [String]..., by target: FakeTarget = FakeTarget()) throws
    -> FakeTarget.Received
  {
    let server = try serve(target)
    defer { server.stop() }
    for command in commands { #expect(try run(command) == 0) }
    return target.received.withLock { $0 }
  }

  private func run(_ arguments: [String]) throws(Refusal) -> Int32 {
    try CtlCommand(["--name", name] + arguments, environment: environment).run()
  }

  private func refusal(_ arguments: [String], _ environment: [String: String] = [:]) -> Refusal? {
    failure { () throws(Refusal) in try CtlCommand(arguments, environment: environment) }
  }

  private static let wrongUsage: KeyValuePairs<[String], String> = [
    []:
      "ctl: no command; use one of status, start, interrupt, resume, background, foreground, end, stop, extend, "
      + "ready, answer, leave, session-password, mute, unmute, camera, microphone, screen, layout, spotlight, "
      + "mute-tile, unmute-tile, sources, bitrate, event, snapshot, events, reload, check",
    ["resum"]: "ctl resum: no such command; did you mean resume?",
    ["status", "stop"]: "stop: ctl status takes no arguments; leave it out",
    ["extend"]: "ctl extend: a value is missing; write ctl extend TIME [ID]",
    ["mute", "smell"]: "ctl mute smell: no such track; write audio or video",
    ["screen", "up"]: "ctl screen up: unknown value; write ctl screen on, or ctl screen off",
    ["layout"]: "ctl layout: a value is missing; write ctl layout LAYOUT",
    ["mute-tile", "A", "B"]: "ctl mute-tile: too many values; write ctl mute-tile TILE",
    ["stop", "--watch"]: "--watch: not available with ctl stop; use it with ctl status",
    ["event", "a", "{"]: #"ctl event: the data is not valid JSON; write it as '{"key":"value"}'"#,
    ["--nam", "a", "stop"]: "--nam: no such option; did you mean --name?",
    ["stop", "--name"]: "--name: a value is missing; write --name NAME",
    ["stop", "--name", "--json"]: "--name: a value is missing; write --name NAME",
    ["stop", "--name", "../a"]:
      "--name ../a: not usable in file names; use 1 to 64 of a-z, A-Z, 0-9 and . _ -, starting "
      + "with a letter or digit",
  ]

  @Test(arguments: wrongUsage.map { ($0, $1) })
  func `wrong usage is explained with a remedy`(arguments: [String], text: String) {
    let refused = refusal(arguments)
    #expect(refused?.description == text && refused?.status == .usage, "\(refused as Any)")
  }

  @Test func `a configuration that can't be reloaded is named, with a status of its own`() throws {
    var target = FakeTarget()
    #expect(try received(["reload"], by: target).reloads == 1)
    target.reloadError = APIError(422, "notReloaded", "hall.json5:2:7: not valid JSON5", hint: "check it")
    let failing = try serve(target)
    #expect(throws: Refusal(.configuration, name, "hall.json5:2:7: not valid JSON5", "check it")) {
      try run(["reload"])
    }
    failing.stop()
    #expect(target.received.withLock { $0.reloads } == 2)
  }

  @Test func `systemd reloads by a command that reports failures`() throws {
    let unit = try String(contentsOfFile: Repository.path("samples/holdfast.service"), encoding: .utf8)
    let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecReload=") })
    let words = line.dropFirst("ExecReload=".count).split(separator: " ").map(String.init)
    #expect(words.prefix(2) == ["/usr/local/bin/holdfast", "ctl"])
    let command = try CtlCommand(Array(words.dropFirst(2)), environment: [:])
    #expect(command.action == .send(.init("POST", "/v1/reload")))
  }

  @Test func `the name comes from the flag, else from the variable publish uses`() throws {
    let environment = ["HOLDFAST_NAME": "hall"]
    #expect(try CtlCommand(["stop"], environment: environment).target.name == "hall")
    #expect(try CtlCommand(["--name=attic", "stop"], environment: environment).target.name == "attic")
    #expect(try CtlCommand(["stop"], environment: [:]).target.name == nil)
    #expect(refusal(["stop"], ["HOLDFAST_NAME": "/"])?.status == .configuration)
  }

  @Test(arguments: ["start", "interrupt", "resume", "background", "foreground", "end", "stop"])
  func `every command reaches the broadcast`(word: String) throws {
    #expect(try received([word], [word, "--json"]).commands.map(\.rawValue) == [word, word])
  }

  @Test(
    arguments: [
      (["extend", "10m", "a"], .init { $0.extensions = ["a 600s"] }),
      (["mute"], .init { $0.mutes = ["audio true"] }),
      (["unmute", "video"], .init { $0.mutes = ["video false"] }),
      (["camera", "test"], .init { $0.sources = ["video test"] }),
      (["microphone", "mic:hw:1,0"], .init { $0.sources = ["audio mic:hw:1,0"] }),
      (["bitrate", "1.5M"], .init { $0.bitrates = [1_500_000] }),
      (["ready"], .init { $0.answers = ["local"] }),
      (["ready", "no", "too", "dark"], .init { $0.answers = ["local not"] }),
      (["check"], .init { $0.checks = [false] }), (["check", "upload"], .init { $0.checks = [true] }),
      (["event", "cue", #"{"a":[1]}"#], .init { $0.events = [#"cue {"a":[1]}"#] }),
      (["event", "cue"], .init { $0.events = ["cue null"] }), (["sources"], .init()), (["status"], .init()),
    ] as [([String], FakeTarget.Received)])
  func `a command with a value reaches the broadcast with its value`(
    arguments: [String], received: FakeTarget.Received
  ) throws {
    var target = FakeTarget()
    target.statusJSON = ["outputs": .list([])]
    #expect(try self.received(arguments, by: target) == received)
  }

  @Test func `ctl event says which outputs got the event`() throws {
    let command = try CtlCommand(["event", "cue"], environment: environment)
    let result = "sent to 1 of 2 outputs: SRT can't carry events"
    let answer = HTTPResponse.json(["ok": .bool(true), "outputs": .integer(1), "result": .text(result)])
    #expect(command.text(of: answer, from: "hall") == "hall: \(result)")
  }

  @Test func `an extension without an id gets a new one each time`() throws {
    #expect(Set(try received(["extend", "1m"], ["extend", "1m"]).extensions).count == 2)
  }

  @Test func `a snapshot is written to the named file`() throws {
    let target = FakeTarget()
    _ = try received(["snapshot", scratch.file("a.jpg")], by: target)
    #expect(FileManager.default.contents(atPath: scratch.file("a.jpg")) == Data(target.newest?.jpeg ?? []))
  }

  @Test func `a refusal repeats the broadcast's own words`() throws {
    let server = try serve(.refused(.notInterrupted, .previewing))
    #expect(
      throws: Refusal(.refused, name, "resume is not possible while previewing", "send interrupt first")
    ) { try run(["resume"]) }
    server.stop()
  }

  @Test func `a command the broadcast does not take in time is an error`() throws {
    let server = try serve(.timedOut)
    #expect(throws: Refusal(.gaveUp, name, "the broadcast did not take the command in time", "try again")) {
      try run(["stop", "--json"])
    }
    server.stop()
  }

  @Test func `a broadcast that has ended is reported as not running`() throws {
    try serve(.timedOut).stop()
    #expect(throws: Refusal.self) { try run(["status"]) }
    let (what, hint) = ("no broadcast of this name is running", "start it with holdfast publish --name hall")
    #expect(CtlTarget.notRunning("hall", running: []) == Refusal(.gaveUp, "hall", what, hint))
  }

  @Test func `a second broadcast of the same name is refused with the pid of the first`() throws {
    let server = try serve(.timedOut)
    #expect {
      do throws(UnixListener.ClaimError) {
        _ = try ControlSockets.claim(name, environment: environment)
      } catch {
        throw Refusal(error, claiming: name)
      }
    } throws: {
      "\($0)"
        == "--name \(name): another holdfast of this name is running, pid \(getpid()); choose another name, or stop "
        + "it with holdfast ctl --name \(name) stop"
    }
    server.stop()
  }

  private static let attic = ControlSockets.Running(name: "attic", path: "/a")
  private static let hall = ControlSockets.Running(name: "hall", path: "/h")

  @Test func `the only running broadcast or the named one is chosen`() throws {
    #expect(try CtlTarget(flag: nil, environment: [:]).choose(among: [Self.hall]) == Self.hall)
    #expect(
      try CtlTarget(flag: "attic", environment: [:]).choose(among: [Self.attic, Self.hall]) == Self.attic)
  }

  @Test(
    arguments: [
      (nil, [], "ctl: no broadcast is running; start one with holdfast publish"),
      (nil, [attic, hall], "ctl: several broadcasts are running: attic, hall; choose one with --name"),
      ("yard", [attic, hall], "yard: no broadcast of this name is running; running: attic, hall"),
    ] as [(String?, [ControlSockets.Running], String)])
  func `the running broadcasts are listed when not exactly one matches`(
    name: String?, running: [ControlSockets.Running], text: String
  ) throws {
    let target = try CtlTarget(flag: name, environment: [:])
    #expect { try target.choose(among: running) } throws: { "\($0)" == text }
  }

  @Test func `an answer to a command is one line`() throws {
    let command = try CtlCommand(["resume"], environment: [:])
    let answer = HTTPResponse.json(["ok": .bool(true), "state": "live"])
    #expect(command.text(of: answer, from: "hall") == "hall: live")
  }

  @Test(arguments: [["status"], ["status", "--json"], ["reload"]])
  func `nothing that the program says reaches a terminal as a control character`(words: [String]) throws {
    let text = "busy\u{1B}]0;x\u{7}\u{9B}1m\u{202E}\u{2066}end"
    var target = FakeTarget()
    target.statusJSON = ["name": .text(text)]
    target.reloadError = .notPossible(text, hint: text)
    let server = try serve(target)
    defer { server.stop() }
    let result = try HoldfastProcess.run(["ctl", "--name", name] + words, environment: environment)
    let shown = result.output + result.errors
    #expect(shown.contains("busy"))
    let hidden = CharacterSet.controlCharacters.subtracting(.newlines)
    #expect(shown.rangeOfCharacter(from: hidden) == nil)
  }
}

@Suite struct CtlStatusTableTests {
  private func table(_ text: String) throws -> String {
    CtlStatusTable.text(for: try JSONValue(reading: Array(text.utf8).span))
  }

  @Test func `a status has a line for each value and columns for its outputs`() throws {
    let status = #"""
      {"name":"hall","state":"interrupted","mediaTimeMs":83040,"framesPerSecond":29.9712,"resumable":true,
       "cause":null,"tracks":["video","audio"],"recording":{"path":"/r/a.mp4","bytes":12},
       "outputs":[{"id":"a","state":"publishing","lostMs":{"video":20}},
                  {"id":"bee","state":"waiting","cause":"nameTaken","retryInMs":500}],"gaps":[]}
      """#
    #expect(
      try table(status) == """
        name               hall
        state              interrupted
        media time         0:01:23.040
        frames per second  29.97
        resumable          yes
        cause              –
        tracks             video, audio
        gaps               none

        recording:
          path   /r/a.mp4
          bytes  12

        outputs:
          id   state       lost video   cause      retry in
          a    publishing  0:00:00.020
          bee  waiting                  nameTaken  0:00:00.500
        """)
  }

  @Test(arguments: ["{}", "[]", "null", "1", #"{"a":{}}"#, #"{"a":[{}]}"#, #"{"a":[{"b":[{"c":1}]},2]}"#])
  func `any status can be shown as a table`(status: String) throws {
    #expect(try !table(status).contains("Optional"))
  }

  @Test func `a status table contains no terminal control characters`() throws {
    let text = try table(#"{"a\u001b[2k":"\u001b]0;x\u0007\u009b1mé\r\n"}"#)
    #expect(text == "a[2k  ]0;x1mé")
  }
}
