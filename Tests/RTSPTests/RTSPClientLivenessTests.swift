import HoldfastMediaModel
import HoldfastRTSP
import Testing

@Suite struct RTSPClientLivenessTests {
  @Test func `an answered probe reports how long the answer took`() throws {
    var talk = try Conversation().begun()
    try talk.client.probe(at: talk.now)
    #expect(talk.client.isProbing)
    talk.now = MonotonicTime(nanoseconds: 7_000_000)
    try talk.talk()
    #expect(talk.events.last == .answered(after: .milliseconds(7)) && !talk.client.isProbing)
  }

  @Test(arguments: [("OPTIONS, GET_PARAMETER", "GET_PARAMETER"), ("OPTIONS, RECORD", "OPTIONS")])
  func `a probe uses a method that the server supports`(methods: String, expected: String) throws {
    var talk = try Conversation(methods: methods).begun()
    try talk.probe()
    #expect((talk.server.asked.last, talk.server.requests.last?.headers["Session"]) == (expected, "4711"))
  }

  @Test func `only one probe waits for an answer at a time`() throws {
    var talk = try Conversation().begun()
    for _ in 0..<100 { try talk.client.probe(at: talk.now) }
    try talk.talk()
    #expect(talk.server.asked.filter { $0 == "GET_PARAMETER" }.count == 1)
  }

  @Test func `a server that refuses a probe's method is alive, and probed with OPTIONS`() throws {
    var talk = try Conversation(answers: ["GET_PARAMETER": [.init(status: 501)]]).begun()
    for _ in 0..<2 { try talk.probe() }
    #expect(talk.events == [.accepted, .answered(after: .zero), .answered(after: .zero)])
    #expect(talk.server.asked.last == "OPTIONS")
  }

  @Test func `a session that the server has forgotten is reported`() throws {
    var talk = try Conversation(answers: ["GET_PARAMETER": [.init(status: 454)]]).begun()
    try talk.probe()
    #expect(talk.refusal?.kind == .sessionLost && talk.client.isEnded)
  }

  @Test func `no probe is sent before the recording`() throws {
    var talk = try Conversation()
    try talk.client.probe(at: talk.now)
    #expect(talk.client.outgoing.isEmpty)
  }

  @Test func `a pause and a resume keep the session`() throws {
    var talk = try Conversation().begun()
    #expect(talk.client.canPause)
    try talk.pause()
    #expect(talk.client.isPaused)
    try talk.probe()
    try talk.client.resume(from: .milliseconds(12_034), at: talk.now)
    try talk.talk()
    #expect(talk.events == [.accepted, .paused, .answered(after: .zero), .resumed])
    #expect(talk.server.requests.last?.headers["Range"] == "npt=12.034-")
    #expect(Set(talk.server.requests.dropFirst(3).map { $0.headers["Session"] }) == ["4711"])
  }

  @Test func `a server that refuses to pause keeps recording`() throws {
    var talk = try Conversation(answers: ["PAUSE": [.init(status: 455)]]).begun()
    try talk.pause()
    let isRefused = if case .pauseRefused = talk.events.last { true } else { false }
    #expect(isRefused && talk.client.isRecording, "\(talk.events)")
  }

  @Test func `a server that does not list PAUSE cannot pause`() throws {
    #expect(try !Conversation(methods: "OPTIONS, ANNOUNCE").begun().client.canPause)
  }

  @Test(arguments: [454, 455, 500])
  func `a resume that the server refuses ends the session`(status: Int) throws {
    var talk = try Conversation().begun()
    talk.server.answers["RECORD"] = [.init(status: status)]
    try talk.pause()
    try talk.client.resume(from: .zero, at: talk.now)
    try talk.talk()
    #expect(talk.refusal != nil && talk.client.isEnded)
  }

  @Test func `commands in the wrong state are errors, not crashes`() throws {
    var talk = try Conversation()
    #expect(throws: RTSPError.self) { try talk.client.pause(at: talk.now) }
    #expect(throws: RTSPError.self) { try talk.client.resume(from: .zero, at: talk.now) }
    #expect(throws: RTSPError.self) { try talk.client.setUp(over: .interleaved, at: talk.now) }
    try talk.begin()
    #expect(throws: RTSPError.self) { try talk.client.begin(at: talk.now) }
    #expect(throws: RTSPError.self) { try talk.client.resume(from: .zero, at: talk.now) }
  }
}
