import HoldfastHTTP
import HoldfastMediaModel
import HoldfastSession
import TestSupport
import Testing

@testable import HoldfastCommands

@Suite struct SessionWordTests {
  private static let url = "https://hub.example/stage"

  private func command(
    _ line: String, environment: [String: String] = [:]
  ) throws(Refusal) -> SessionCommand {
    try SessionCommand([Self.url] + line.split(separator: " ").map(String.init), environment: environment)
  }

  private static let anna = MemberReference("Anna")

  @Test(
    arguments: [
      ("status", .status), ("members", .members), ("events", .events),
      ("rename Anna Bea", .member(.rename(name("Bea")), anna)), ("host Anna", .member(.host, anna)),
      ("reclaim --as Anna", .command(.reclaim)), ("manager Anna", .member(.manager, anna)),
      ("revoke Anna", .member(.revoke, anna)), ("remove Anna", .member(.remove, anna)),
      ("readmit Anna", .member(.readmit, anna)), ("mute Anna", .member(.mute([.audio]), anna)),
      ("mute Anna video", .member(.mute([.video]), anna)),
      ("mute Anna audio", .member(.mute([.audio]), anna)),
      ("mute Anna both", .member(.mute([.audio, .video]), anna)),
      ("unmute Anna", .member(.unmute([.audio]), anna)),
      ("unmute Anna both", .member(.unmute([.audio, .video]), anna)),
      ("mute video", .member(.mute([.audio]), MemberReference("video"))),
      ("mute --as Anna", .command(.mute(nil, [.audio]))),
      ("mute video --as Anna", .command(.mute(nil, [.video]))),
      ("unmute both --as Anna", .command(.unmute(nil, [.audio, .video]))),
      ("mute Bea --as Anna", .member(.mute([.audio]), MemberReference("Bea"))),
      ("mute Bea video --as Anna", .member(.mute([.video]), MemberReference("Bea"))),
      ("answer yes", .command(.answer(true))), ("answer no --as Anna", .command(.answer(false))),
      ("screen on --as Anna", .command(.share)), ("screen off --as Anna", .command(.unshare)),
      ("mute-all", .command(.muteAll([.audio]))), ("mute-all both", .command(.muteAll([.audio, .video]))),
      ("lock", .command(.lock)), ("unlock", .command(.unlock)), ("lock-screens", .command(.lockScreens)),
      ("unlock-screens", .command(.unlockScreens)), ("password", .setPassword),
      ("password off", .liftPassword),
      ("password --password env:PATH", .setPassword), ("limit 1h", .command(.limit(.seconds(3600)))),
      ("limit off", .command(.limit(nil))), ("extend 10m", .command(.extend(.seconds(600), request: ""))),
      ("ready --as Anna", .command(.ready)), ("live rtmp://a/b/c", .live(["rtmp://a/b/c"])),
      ("live rtmp://a/b/c srt://d:1", .live(["rtmp://a/b/c", "srt://d:1"])), ("off-air", .command(.offAir)),
      ("leave", .command(.leave)), ("end", .command(.end)), ("end --yes", .command(.end)),
      ("host -Anna", .member(.host, MemberReference("-Anna"))),
    ] as [(String, SessionAction)])
  func `every word has its action`(line: String, action: SessionAction) throws {
    #expect(try command(line, environment: ["PATH": "secret"]).action == action)
  }

  private static func name(_ text: String) -> Session.DisplayName {
    guard let name = try? Session.DisplayName(text) else { fatalError("not a name: \(text)") }
    return name
  }

  @Test func `an event has its data`() throws {
    let event = try Session.CustomEvent(name: "cue", data: ["a": .list([.integer(1)])])
    let words = [Self.url, "event", "cue", #"{"a":[1]}"#]
    #expect(try SessionCommand(words, environment: [:]).action == .command(.event(event)))
    #expect(try command("event cue").action == .command(.event(Session.CustomEvent(name: "cue"))))
  }

  /// What a box, a page or a worker sends is not typed.
  private static let untyped: Set<Session.Command.Word> = [.join, .report, .share, .unshare, .take, .work]

  @Test(arguments: Session.Command.Word.allCases)
  func `every command of a session is a word, or a member's own`(word: Session.Command.Word) {
    #expect(SessionWord.all.contains { $0.name == word.rawValue } != Self.untyped.contains(word))
  }

  @Test func `every word is in the help`() {
    for word in SessionWord.all { #expect(SessionCommand.help.contains("\n  \(word.name) "), "\(word.name)") }
  }

  private static let wrongUsage: KeyValuePairs<String, String> = [
    "":
      "session: no command; use one of status, members, events, rename, host, reclaim, manager, revoke, remove, "
      + "readmit, mute, unmute, answer, mute-all, lock, unlock, screen, lock-screens, unlock-screens, password, limit, "
      + "extend, ready, event, live, off-air, leave, end",
    "lok": "session lok: no such command; did you mean lock?",
    "join": "session join: no such command; run holdfast help session",
    "lock now": "now: session lock takes no arguments; leave it out",
    "status all": "all: session status takes no arguments; leave it out",
    "host": "session host: a value is missing; write host MEMBER",
    "host a b": "session host: too many values; write host MEMBER",
    "rename a": "session rename: a value is missing; write rename MEMBER NAME",
    "mute": "session mute: a value is missing; write mute MEMBER, or --as MEMBER for oneself",
    "mute a smell": "session mute smell: no such track; write video, audio or both",
    "mute a video b": "session mute: too many values; write mute MEMBER [video|audio|both]",
    "mute-all smell": "session mute-all smell: no such track; write video, audio or both",
    "answer perhaps": "session answer perhaps: unknown value; write answer yes, or answer no",
    "password hunter2":
      "session password: takes only off as its value; leave it out to be asked, or use --password @FILE",
    "limit soon": "session limit soon: not a length of time; write 1h, 90m or off",
    "limit 0": "session limit 0: not a length of time; write 1h, 90m or off",
    "extend off": "session extend off: not a length of time; write 10m or 90s",
    "event a {": #"session event: the data is not valid JSON; write it as '{"key":"value"}'"#,
    "live": "session live: a value is missing; write live URL...",
    "live http://a/secret":
      "session live: not an address to publish to; write rtmp://HOST/APP/KEY, rtsp://HOST/PATH or srt://HOST:PORT",
    "live env:NOWHERE": "session live env:NOWHERE: no such environment variable; set it to an address",
    "ready": "session ready: it is a member's own; name the member: --as MEMBER",
    "reclaim": "session reclaim: it is a member's own; name the member: --as MEMBER",
    "status --as a": "--as: not available with session status; leave it out",
    "lock --yes": "--yes: not available with session lock; leave it out",
    "lock --password a": "--password: not available with session lock; leave it out",
    "events --request-id a": "--request-id: not available with session events; leave it out",
    "lock --token env:NOWHERE": "--token env:NOWHERE: no such environment variable; set it to a token",
    "lock --tokn a": "--tokn: no such option; did you mean --token?",
    "lock --request-id ä": "--request-id ä: not usable as an id; use 1 to 128 letters and digits",
  ]

  @Test(arguments: wrongUsage.map { ($0, $1) })
  func `wrong usage is explained with a remedy`(line: String, text: String) {
    let refusal = failure { () throws(Refusal) in try command(line) }
    #expect(refusal?.description == text && refusal?.status == .usage, "\(refusal as Any)")
  }

  private static let wrongAddresses: KeyValuePairs<[String], String> = [
    []: "session: no address; write holdfast session https://HUB/NAME COMMAND",
    ["hub/stage", "lock"]: "session: not an https address; write https://HOST or https://HOST:PORT",
    ["http://hub/stage", "lock"]:
      "session: http to another machine is not encrypted: tokens and keys could be read on the way; use https, or "
      + "--insecure-lan on a network that you trust",
    ["https://hub/v1", "lock"]:
      "session v1: the session's name is one of the hub's own paths; choose another name",
    ["https://hub/a%2Fb", "lock"]:
      "session a/b: the session's name contains one of / \\ { } ? # %; choose another name",
  ]

  @Test(arguments: wrongAddresses.map { ($0, $1) })
  func `a wrong address is explained with a remedy`(words: [String], text: String) {
    let refusal = failure { () throws(Refusal) in try SessionCommand(words, environment: [:]) }
    #expect(refusal?.description == text && refusal?.status == .usage, "\(refusal as Any)")
  }

  @Test func `http to another machine is possible if asked for`() throws {
    let words = ["http://hub/stage", "lock", "--insecure-lan"]
    #expect(try SessionCommand(words, environment: [:]).address.origin.host == "hub")
  }

  @Test func `secrets come from files and variables, and a literal is known as one`() throws {
    let scratch = ScratchFolder()
    let file = try scratch.write("abc.def\n", to: "token")
    func token(_ text: String) throws -> SessionCommand.Secret? {
      try SessionCommand([Self.url, "lock", "--token", text], environment: ["TOKEN": "ghi"]).token
    }
    #expect(try token("@\(file)") == SessionCommand.Secret(text: "abc.def", isLiteral: false))
    #expect(try token("env:TOKEN") == SessionCommand.Secret(text: "ghi", isLiteral: false))
    #expect(try token("jkl") == SessionCommand.Secret(text: "jkl", isLiteral: true))
    #expect(failure { () throws(Refusal) in try command("lock --token @/nowhere") }?.status == .notFound)
  }

  @Test func `an id of a request is random unless given`() throws {
    let ids = [try command("lock").requestID, try command("lock").requestID]
    #expect(ids[0] != ids[1] && ids.allSatisfy { $0.count == 32 })
    #expect(try command("lock --request-id again").requestID == "again")
  }
}
