import HoldfastMediaModel
import HoldfastRTSP
import Testing

@Suite struct RTSPClientTests {
  @Test(arguments: [1, 2, 7, Int.max])
  func `a willing server is brought to recording, with answers in pieces of any size`(piece: Int) throws {
    var talk = try Conversation()
    talk.pieceSize = piece
    try talk.begin()
    #expect(talk.events == [.accepted] && talk.client.isRecording)
    #expect(talk.server.asked == ["OPTIONS", "ANNOUNCE", "SETUP", "SETUP", "RECORD"])
  }

  @Test func `the session description is sent with ANNOUNCE`() throws {
    let talk = try Conversation().begun()
    let announcement = talk.server.requests[1]
    #expect(announcement.headers["Content-Type"] == "application/sdp")
    #expect(announcement.body == Array(Conversation.description.utf8))
  }

  @Test func `requests are numbered, and carry the session once there is one`() throws {
    let talk = try Conversation().begun()
    #expect(talk.server.requests.map(\.sequence) == [1, 2, 3, 4, 5])
    #expect(talk.server.requests.map { $0.headers["Session"] } == [nil, nil, nil, "4711", "4711"])
  }

  @Test func `the tracks are set up under the stream's own address`() throws {
    let talk = try Conversation("rtsp://user:secret@host:8554/live/show?key=1").begun()
    let base = "rtsp://host:8554/live/show?key=1"
    #expect(talk.server.addresses == [base, base, base + "/streamid=0", base + "/streamid=1", base])
  }

  @Test func `the server may name another base address`() throws {
    let base = "rtsp://host/other/"
    let answer = ScriptedServer.Answer(headers: [("Content-Base", base)])
    let talk = try Conversation(answers: ["ANNOUNCE": [answer]]).begun()
    #expect(talk.server.addresses.suffix(3) == [base + "streamid=0", base + "streamid=1", base])
  }

  @Test func `a track may have an absolute address of its own`() throws {
    let description = "v=0\r\nm=video 0 RTP/AVP 96\r\na=control:rtsp://elsewhere/v\r\n"
    let talk = try Conversation(description: description).begun()
    #expect(talk.server.addresses[2] == "rtsp://elsewhere/v")
  }

  @Test func `media is sent between messages, on the channels that the server has chosen`() throws {
    let headers = [("Session", "1"), ("Transport", "RTP/AVP/TCP;unicast;interleaved=10-11")]
    var talk = try Conversation(answers: ["SETUP": [.init(headers: headers)]]).begun()
    for (track, isControl) in [(0, false), (0, true), (1, false)] {
      let packet: [UInt8] = [UInt8(track), 0x24, 0x0A]
      talk.client.send(packet.span, track: track, isControl: isControl)
    }
    try talk.probe()
    #expect(talk.server.packets.map(\.channel) == [10, 11, 2])
    #expect(talk.server.packets.map(\.bytes) == [[0, 0x24, 0x0A], [0, 0x24, 0x0A], [1, 0x24, 0x0A]])
    #expect(talk.server.asked.last == "GET_PARAMETER")
  }

  @Test func `no media is sent before recording, during a pause, or for a missing track`() throws {
    var talk = try Conversation()
    let packet: [UInt8] = [1, 2, 3]
    talk.client.send(packet.span, track: 0)
    #expect(talk.client.outgoing.isEmpty)
    try talk.begin()
    for track in [2, -1] { talk.client.send(packet.span, track: track) }
    #expect(talk.client.outgoing.isEmpty)
    try talk.client.pause(at: talk.now)
    _ = talk.client.outgoing.takeAll()
    talk.client.send(packet.span, track: 0)
    #expect(talk.client.outgoing.isEmpty)
  }

  @Test func `client and server exchange their ports over UDP`() throws {
    let talk = try Conversation(transport: .datagrams(ports: [5000, 5002])).begun()
    #expect(talk.events == [.accepted])
    #expect(talk.client.paths == [.datagrams(rtp: 9000, rtcp: 9001), .datagrams(rtp: 9000, rtcp: 9001)])
    #expect(
      talk.server.requests[2].headers["Transport"] == "RTP/AVP;unicast;client_port=5000-5001;mode=record")
  }

  @Test func `data that the server sends on a channel is passed on`() throws {
    var talk = try Conversation().begun()
    try talk.hear([0x24, 1, 0, 2, 8, 9])
    #expect(talk.events.last == .interleaved(channel: 1, bytes: [8, 9]))
  }

  @Test func `a teardown ends the session`() throws {
    var talk = try Conversation().begun()
    try talk.client.tearDown(at: talk.now)
    try talk.talk()
    #expect(talk.events == [.accepted, .tornDown] && talk.client.isEnded)
  }

  @Test func `a description without tracks is refused before anything is sent`() {
    #expect(throws: RTSPError.self) { try Conversation(description: "v=0\r\n") }
  }

  @Test func `an answer without a request is ignored`() throws {
    var talk = try Conversation().begun()
    for header in ["CSeq: 999\r\n", ""] { try talk.hear("RTSP/1.0 200 OK\r\n\(header)\r\n") }
    #expect(talk.events == [.accepted])
  }

  @Test func `an answer without a number belongs to the waiting request`() throws {
    let answer = ScriptedServer.Answer(status: 404, leavesOutNumber: true)
    #expect(try Conversation(answers: ["ANNOUNCE": [answer]]).begun().events.count == 1)
  }

  @Test func `a provisional answer does not count as the answer`() throws {
    var talk = try Conversation()
    try talk.client.begin(at: talk.now)
    try talk.hear("RTSP/1.0 100 Continue\r\nCSeq: 1\r\n\r\n")
    try talk.talk()
    #expect(talk.events == [.accepted])
  }
}
