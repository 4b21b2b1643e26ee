import HoldfastHTTP
import HoldfastMediaModel
import Testing

@testable import HoldfastCommands

@Suite struct SessionTextTests {
  @Test func `the status is a few lines`() {
    #expect(
      SessionText.status(FakeHub.state) == """
        session   Stage 1
        host      Anna  [annaannaannaanna]
        members   3, 1 away, 1 removed
        locked    yes
        password  yes
        screens   free
        time      1 h 5 min left, until 2026-11-26T11:30:00Z
        on air    live, 2 outputs
        """)
  }

  private static let partsOfStatus: KeyValuePairs<String, String> = [
    #"{"name":"a","ended":"time","members":[]}"#: "session  a\nstate    over (time)",
    #"{"name":"a","host":null,"members":[],"timer":{"startedAt":"2026-11-26T10:00:00Z"},"onAir":null}"#:
      "time      since 2026-11-26T10:00:00Z, no limit\non air    no",
    #"{"name":"a","members":[],"onAir":{"state":"waiting","reason":"nameTaken","outputs":1}}"#:
      "time      no limit\non air    waiting (nameTaken), 1 output",
    "{}": "session   –\nhost      nobody\nmembers   nobody\n",
  ]

  @Test(arguments: partsOfStatus.map { ($0, $1) })
  func `a session without much has a status`(json: String, part: String) throws {
    #expect(SessionText.status(try JSONValue(reading: Array(json.utf8).span)).contains(part))
  }

  @Test func `members are listed in columns, then those who are away or removed`() {
    #expect(
      SessionText.members(FakeHub.state) == """
        name         role         kind    state           muted         last beat   id
        Anna         host         person  idle            no            3 s         annaannaannaanna
        Camera       participant  box     live            audio, video  5 s         leftleftleftleft
        camera       manager      box     live, silent    audio         2 min 20 s  rightrightrightr
        Große Bühne  participant  box     away (expired)  –             2 h 4 min   awayawayawayaway
        Anna         –            –       removed         –             –           removedremovedre
        """)
    #expect(SessionText.members(["members": .list([])]) == "no members")
  }

  @Test func `a name can't move the cursor`() {
    let text = SessionText.members(["members": .list([["name": "a\u{1B}[2Jb", "id": "x"]])])
    #expect(text.contains("a[2Jb") && !text.contains("\u{1B}"))
  }

  private static let stream = [
    ServerSentEvent(id: "7-3", name: "reset", data: FakeHub.state.description),
    event(4, "muted", #""member":"leftleftleftleft","tracks":["audio","video"],"by":"others""#),
    event(5, "joined", #""member":"newnewnewnewnewn","name":"Bea","kind":"box","returned":false"#),
    event(6, "renamed", #""member":"newnewnewnewnewn","name":"Cleo""#),
    event(7, "ready", #""member":"newnewnewnewnewn""#),
    event(8, "hostChanged", #""member":null,"why":"away""#),
    event(9, "event", #""member":"xx","name":"cue","data":{"a":[1]}"#),
    ServerSentEvent(id: "7-10", name: "bye", data: #"{"retryAfter":3}"#),
    event(11, "ended", #""why":"time""#),
  ]

  private static func event(_ number: Int, _ name: String, _ fields: String) -> ServerSentEvent {
    ServerSentEvent(id: "7-\(number)", name: name, data: #"{"event":"\#(name)",\#(fields)}"#)
  }

  @Test func `events are lines with the members' names`() throws {
    var text = SessionEventText(asJSON: false)
    let now = try #require(WallTime(rfc3339: "2026-11-26T10:24:55Z"))
    let lines = Self.stream.compactMap { text.line(for: $0, at: now) }
    #expect(
      lines.map { $0.replacing("2026-11-26T10:24:55.000Z ", with: "") } == [
        "muted Camera: tracks audio and video, by others", "joined Bea: kind box, returned no",
        "renamed Bea: name Cleo", "ready Cleo", "hostChanged: why away",
        #"event xx: name cue, data {"a":[1]}"#, "ended: why time",
      ])
    #expect(text.isOver)
  }

  @Test func `events are lines of JSON, the first with the state`() throws {
    var text = SessionEventText(asJSON: true)
    let lines = Self.stream.compactMap { text.line(for: $0, at: WallTime(nanoseconds: 0)) }
    #expect(lines.count == 8)
    let first = try JSONValue(reading: Array(lines[0].utf8).span)
    #expect(first.field("event")?.text == "reset" && first.field("state") == FakeHub.state)
    #expect(lines[7] == #"{"event":"ended","why":"time"}"#)
  }

  @Test(
    arguments: [([], "Stage: done"), (["removed", "left"], "Stage: removed, left")] as [([String], String)])
  func `a command's outcome is its events`(events: [String], text: String) {
    let answer: JSONValue = ["ok": .bool(true), "events": .list(events.map(JSONValue.text))]
    #expect(SessionText.outcome(answer, of: "Stage") == text)
  }
}
