import Glibc
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastCommands

@Suite struct SessionCommandTests {
  @Test(
    arguments: [
      (["lock"], #"{"command":"lock"}"#),
      (["rename", "Anna", "Bea"], #"{"command":"rename","target":"annaannaannaanna","name":"Bea"}"#),
      (["host", "leftleftleftleft"], #"{"command":"host","target":"leftleftleftleft"}"#),
      (["readmit", "anna"], #"{"command":"readmit","target":"removedremovedre"}"#),
      (["mute", "anna", "video"], #"{"command":"mute","target":"annaannaannaanna","tracks":["video"]}"#),
      (["mute", "--as", "anna"], #"{"command":"mute","tracks":["audio"],"as":"annaannaannaanna"}"#),
      (["mute-all", "both"], #"{"command":"mute-all","tracks":["audio","video"]}"#),
      (["answer", "yes"], #"{"command":"answer","agrees":true}"#),
      (["limit", "90m"], #"{"command":"limit","length":5400.0}"#),
      (["limit", "off"], #"{"command":"limit","length":null}"#),
      (["extend", "10m"], #"{"command":"extend","by":600.0}"#),
      (["ready", "--as", "anna"], #"{"command":"ready","as":"annaannaannaanna"}"#),
      (["event", "cue", "[1]"], #"{"command":"event","name":"cue","data":[1]}"#),
      (["password", "--password", "env:SECRET"], #"{"command":"password","password":"geheim"}"#),
      (["password", "off"], #"{"command":"password","password":null}"#),
      (
        ["live", "env:LIVE", "srt://b:1"], #"{"command":"live","outputs":["rtmp://a/live/key","srt://b:1"]}"#
      ),
      (["off-air"], #"{"command":"off-air"}"#), (["leave"], #"{"command":"leave"}"#),
      (["end", "--yes"], #"{"command":"end"}"#),
    ] as [([String], String)])
  func `a command reaches the hub as the session knows it`(arguments: [String], body: String) throws {
    let hub = try FakeHub()
    let environment = ["SECRET": "geheim", "LIVE": "rtmp://a/live/key"]
    #expect(try hub.run(arguments, environment: environment) == 0)
    #expect(hub.commands == [body])
    #expect(hub.received.last?.path == "/v1/sessions/Stage%201/commands")
  }

  @Test(arguments: [["status"], ["members"], ["status", "--json"], ["members", "--json"]])
  func `the state is asked for with the token`(arguments: [String]) throws {
    let hub = try FakeHub()
    #expect(try hub.run(arguments + ["--token", "env:TOKEN"], environment: ["TOKEN": "abc.def"]) == 0)
    #expect(hub.received.map(\.path) == ["/v1/sessions/Stage%201"])
    #expect(hub.received.map(\.bearer) == ["abc.def"])
  }

  @Test func `a command that the store did not take is repeated with its id`() throws {
    let hub = try FakeHub { _, number in
      number < 3
        ? HTTPResponse(APIError(503, "storeAway", "the store is away", retryAfter: .zero)) : .ok()
    }
    #expect(try hub.run(["extend", "10m"]) == 0)
    let ids = hub.received.map { try? JSONValue(reading: $0.body.span).field("requestId")?.text }
    #expect(ids.count == 3 && Set(ids).count == 1 && ids[0] != nil)
  }

  @Test(
    arguments: [
      (401, "tokenExpired", .refused), (403, "notAllowed", .refused), (409, "notRemovable", .refused),
      (410, "sessionOver", .refused), (404, "noSuchSession", .gaveUp), (404, "noSuchMember", .usage),
      (422, "badValue", .usage), (429, "tooManyFailures", .gaveUp), (503, "storeAway", .gaveUp),
      (500, "internal", .gaveUp),
    ] as [(Int, String, HoldfastCommands.ExitStatus)])
  func `what the hub refuses has its exit status, with the hub's words`(
    status: Int, code: String, expected: HoldfastCommands.ExitStatus
  ) throws {
    let hub = try FakeHub { _, _ in
      HTTPResponse(APIError(status, code, "it is so", hint: "do this", retryAfter: .zero))
    }
    let refusal = failure { () throws(Refusal) in try hub.run(["lock"]) }
    #expect(refusal == Refusal(expected, #"session "Stage 1" at \#(hub.origin)"#, "it is so", "do this"))
  }

  @Test func `another server, and none, are told apart from a refusal`() throws {
    let hub = try FakeHub { _, _ in HTTPResponse(status: 404, contentType: "text/html", body: [0x3C]) }
    let other = failure { () throws(Refusal) in try hub.run(["lock"]) }
    #expect(other?.status == .gaveUp && other?.what == "the answer is not that of a hub")
    hub.stop()
    let none = failure { () throws(Refusal) in try hub.run(["lock"]) }
    #expect(none?.status == .gaveUp && none?.what.contains("no server is listening") == true)
  }

  @Test func `a token with a line break is refused before it is sent`() throws {
    let hub = try FakeHub()
    let refusal = failure { () throws(Refusal) in
      try hub.run(["lock", "--token", "env:TOKEN"], environment: ["TOKEN": "abc\r\nX: y"])
    }
    #expect(refusal?.status == .usage && refusal?.description.contains("abc") == false && hub.received == [])
  }

  // MARK: Events

  /// Reads the events until they end; returns the exit status.
  private func readEvents(_ hub: FakeHub, stop: Wakeup? = nil) throws -> Int32 {
    let command = try SessionCommand([hub.url, "events", "--json"], environment: [:])
    var reader = SessionEventReader(command, stop: try stop ?? Wakeup())
    return try reader.run()
  }

  @Test func `events go on over interruptions after the last one, until the session has ended`() throws {
    let port = try LoopbackPort()
    let frames = [
      "retry: 1\nid: 7-1\nevent: reset\ndata: {}\n\nid: 7-2\nevent: locked\ndata: {\"event\":\"locked\"}\n\n",
      "retry: 1\nid: 7-3\nevent: ended\ndata: {\"event\":\"ended\",\"why\":\"time\"}\n\n",
    ]
    let hub = try FakeHub(port: port.number) { _, number in
      switch number {
      case 1: HTTPResponse(contentType: "text/event-stream", body: Array(frames[0].utf8))
      case 2: HTTPResponse(APIError(503, "storeAway", "the store is away"))
      default: HTTPResponse(contentType: "text/event-stream", body: Array(frames[1].utf8))
      }
    }
    #expect(try readEvents(hub) == 0)
    #expect(hub.received.map(\.lastEventID) == [nil, "7-2", "7-2"])
    #expect(Set(hub.received.map(\.path)) == ["/v1/sessions/Stage%201/events"])
  }

  @Test func `events end at once with 0 when they are stopped`() throws {
    let locked = Locked<FakeHub?>(nil)
    let hub = try FakeHub { request, _ in
      guard let hub = locked.withLock({ $0 }) else { return .ok() }
      return .events(EventStream(hub.history, after: request.lastEventID, at: .now))
    }
    locked.withLock { $0 = hub }
    defer { locked.withLock { $0 = nil } }
    let stop = try Wakeup()
    let thread = try WorkerThread(name: "stopper") {
      _ = eventually { !hub.received.isEmpty }
      stop.signal()
    }
    let status = try readEvents(hub, stop: stop)
    thread.join()
    #expect(status == 0)
  }

  @Test(
    arguments: [(404, "noSuchSession", .gaveUp), (401, "noToken", .refused)]
      as [(Int, String, HoldfastCommands.ExitStatus)])
  func `events of a session that can't be seen are refused`(
    status: Int, code: String, expected: HoldfastCommands.ExitStatus
  ) throws {
    let hub = try FakeHub { _, _ in HTTPResponse(APIError(status, code, "no", hint: "ask")) }
    let refusal = #expect(throws: Refusal.self) { try readEvents(hub) }
    #expect(refusal?.status == expected)
  }

  @Test func `without a hub at the start there are no events`() throws {
    let hub = try FakeHub()
    hub.stop()
    let refusal = #expect(throws: Refusal.self) { try readEvents(hub) }
    #expect(refusal?.status == .gaveUp)
  }
}
