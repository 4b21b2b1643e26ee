import HoldfastMediaModel
import HoldfastRTSP
import Testing

@Suite struct RTSPClientRefusalTests {
  private func refusal(_ method: String, _ status: Int) throws -> RTSPRefusal? {
    let answers = [ScriptedServer.Answer(status: status), .init(status: status)]
    let talk = try Conversation("rtsp://host/x", answers: [method: answers]).begun()
    return talk.events.count == 1 ? talk.refusal : nil
  }

  @Test(arguments: [
    ("ANNOUNCE", 401, RTSPRefusal.Kind.credentials), ("ANNOUNCE", 403, .credentials),
    ("ANNOUNCE", 406, .nameTaken), ("ANNOUNCE", 453, .nameTaken), ("ANNOUNCE", 455, .nameTaken),
    ("ANNOUNCE", 404, .other), ("ANNOUNCE", 400, .other), ("ANNOUNCE", 500, .unavailable),
    ("ANNOUNCE", 503, .unavailable), ("ANNOUNCE", 551, .unavailable), ("OPTIONS", 401, .credentials),
    ("SETUP", 455, .other), ("SETUP", 454, .sessionLost), ("SETUP", 415, .other), ("RECORD", 455, .other),
    ("RECORD", 403, .credentials), ("RECORD", 454, .sessionLost), ("RECORD", 300, .other),
  ])
  func `a status's kind of refusal depends on the method`(
    method: String, status: Int, kind: RTSPRefusal.Kind
  ) throws {
    let refusal = try #require(try refusal(method, status))
    #expect((refusal.kind, refusal.method, refusal.status) == (kind, method, status))
  }

  @Test func `a server that refuses OPTIONS may still accept the stream`() throws {
    #expect(try Conversation(answers: ["OPTIONS": [.init(status: 501)]]).begun().events == [.accepted])
  }

  @Test func `nothing more is sent or reported after a refusal`() throws {
    var talk = try Conversation(answers: ["ANNOUNCE": [.init(status: 404)]]).begun()
    try talk.client.probe(at: talk.now)
    try talk.client.tearDown(at: talk.now)
    let packet: [UInt8] = [1]
    talk.client.send(packet.span, track: 0)
    #expect(talk.client.outgoing.isEmpty && talk.events.count == 1)
  }

  @Test func `another transport can be tried when the first one is refused`() throws {
    var talk = try Conversation(answers: ["SETUP": [.init(status: 461)]]).begun()
    let isRefused = if case .transportRefused = talk.events.last { true } else { false }
    try #require(isRefused, "\(talk.events)")
    try talk.client.setUp(over: .datagrams(ports: [6000, 6002]), at: talk.now)
    talk.server.answers["SETUP"] = [
      .init(headers: [
        ("Session", "1"), ("Transport", "RTP/AVP;unicast;client_port=6000-6001;server_port=70-71"),
      ]),
      .init(headers: [("Transport", "RTP/AVP;unicast;client_port=6002-6003;server_port=72-73")]),
    ]
    try talk.talk()
    #expect(talk.events.last == .accepted)
    #expect(talk.client.paths == [.datagrams(rtp: 70, rtcp: 71), .datagrams(rtp: 72, rtcp: 73)])
  }

  @Test func `a transport that is refused for the second track is a refusal`() throws {
    let answers = [ScriptedServer.Answer(headers: [("Session", "1")]), .init(status: 461)]
    #expect(try Conversation(answers: ["SETUP": answers]).begun().refusal?.kind == .transport)
  }

  @Test(arguments: [301, 302, 303, 305, 307, 308])
  func `a redirect reports its location`(status: Int) throws {
    let answer = ScriptedServer.Answer(status: status, headers: [("Location", "rtsp://other/x")])
    let talk = try Conversation(answers: ["ANNOUNCE": [answer]]).begun()
    #expect(talk.events == [.redirected(location: "rtsp://other/x")] && talk.client.isEnded)
  }

  @Test(arguments: [
    [("Transport", "RTP/AVP/TCP;interleaved=0-1")],
    [("Session", ""), ("Transport", "RTP/AVP/TCP;interleaved=0-1")],
    [("Session", "1"), ("Transport", "RTP/AVP;unicast;server_port=1-2")],
    [("Session", "1"), ("Transport", "RTP/AVP/TCP;interleaved=a-b")],
    [("Session", "1"), ("Transport", "RTP/AVP/TCP;interleaved=3-3")],
    [("Session", "1"), ("Transport", "RTP/AVP/TCP;interleaved=1-2-3")],
    [("Session", "1"), ("Transport", "RTP/AVP/TCP;interleaved=300-301")],
    [("Session", String(repeating: "x", count: 300)), ("Transport", "RTP/AVP/TCP;interleaved=0-1")],
  ])
  func `an invalid SETUP answer is an error`(headers: [(String, String)]) throws {
    let talk = try Conversation(answers: ["SETUP": [.init(headers: headers)]])
    #expect(throws: RTSPError.self) { try talk.begun() }
  }

  @Test func `two tracks on one channel are an error`() throws {
    let headers = [("Session", "1"), ("Transport", "RTP/AVP/TCP;unicast;interleaved=0-1")]
    let talk = try Conversation(answers: ["SETUP": [.init(headers: headers), .init(headers: headers)]])
    #expect(throws: RTSPError.self) { try talk.begun() }
  }

  @Test(arguments: ["RTP/AVP;unicast", "RTP/AVP;unicast;server_port=0-1", "RTP/AVP/TCP;interleaved=0-1", ""])
  func `a server that names no ports over UDP is an error`(header: String) throws {
    let answer = ScriptedServer.Answer(headers: [("Session", "1"), ("Transport", header)])
    let talk = try Conversation(transport: .datagrams(ports: [5000, 5002]), answers: ["SETUP": [answer]])
    #expect(throws: RTSPError.self) { try talk.begun() }
  }
}
