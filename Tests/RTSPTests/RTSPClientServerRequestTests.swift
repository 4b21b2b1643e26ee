import HoldfastMediaModel
import HoldfastRTSP
import Testing

@Suite struct RTSPClientServerRequestTests {
  private var talk: Conversation

  init() throws {
    talk = try Conversation().begun()
    _ = talk.takeEvents()
  }

  @Test(arguments: [
    ("OPTIONS", 200), ("GET_PARAMETER", 200), ("SET_PARAMETER", 501), ("DESCRIBE", 501), ("FOO", 501),
  ])
  mutating func `requests from the server are answered`(method: String, status: Int) throws {
    try talk.hear("\(method) rtsp://host/x RTSP/1.0\r\nCSeq: 17\r\n\r\n")
    let said = String(decoding: talk.client.outgoing.takeAll(), as: UTF8.self)
    #expect(said.hasPrefix("RTSP/1.0 \(status) ") && said.contains("\r\nCSeq: 17\r\n"), "\(said)")
    #expect(talk.client.isRecording)
  }

  @Test(arguments: ["rtsp://other/x", nil])
  mutating func `the server may redirect the client at any time, with or without a location`(place: String?)
    throws
  {
    let location = place.map { "Location: \($0)\r\n" } ?? ""
    try talk.hear("REDIRECT * RTSP/1.0\r\nCSeq: 1\r\n\(location)\r\n")
    #expect(talk.events == [.redirected(location: place)] && talk.client.isEnded)
  }

  @Test mutating func `the server may end the session`() throws {
    try talk.hear("TEARDOWN rtsp://host/x RTSP/1.0\r\nCSeq: 1\r\n\r\n")
    #expect(talk.events == [.ended])
  }

  @Test mutating func `endless requests from a server that takes no answers are an error`() throws {
    let question = "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"
    #expect(throws: RTSPError.self) { for _ in 0..<10_000 { try talk.hear(question) } }
    #expect(talk.client.outgoing.count < 100_000)
  }

  @Test mutating func `a server that takes its answers may make any number of requests`() throws {
    for _ in 0..<10_000 {
      try talk.hear("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n")
      try talk.talk()
    }
    #expect(talk.server.statuses.count == 10_000)
  }
}
