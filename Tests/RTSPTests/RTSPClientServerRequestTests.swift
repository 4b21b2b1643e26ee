import HoldfastMediaModel
import HoldfastRTSP
import Testing

@Suite struct RTSPClientServerRequestTests {
  private func recording() throws -> Conversation {
    var talk = try Conversation().begun()
    _ = talk.takeEvents()
    return talk
  }

  @Test(arguments: [
    ("OPTIONS", 200), ("GET_PARAMETER", 200), ("SET_PARAMETER", 501), ("DESCRIBE", 501), ("FOO", 501),
  ])
  func `requests from the server are answered`(method: String, status: Int) throws {
    var talk = try recording()
    try talk.hear("\(method) rtsp://host/x RTSP/1.0\r\nCSeq: 17\r\n\r\n")
    let said = String(decoding: talk.client.outgoing.takeAll(), as: UTF8.self)
    #expect(said.hasPrefix("RTSP/1.0 \(status) "))
    #expect(said.contains("\r\nCSeq: 17\r\n"))
    #expect(talk.client.isRecording)
  }

  @Test(arguments: ["rtsp://other/x", nil])
  func `the server may redirect the client at any time, with or without a location`(place: String?) throws {
    var talk = try recording()
    let location = place.map { "Location: \($0)\r\n" } ?? ""
    try talk.hear("REDIRECT * RTSP/1.0\r\nCSeq: 1\r\n\(location)\r\n")
    #expect(talk.events == [.redirected(location: place)])
    #expect(talk.client.isEnded)
  }

  @Test func `the server may end the session`() throws {
    var talk = try recording()
    try talk.hear("TEARDOWN rtsp://host/x RTSP/1.0\r\nCSeq: 1\r\n\r\n")
    #expect(talk.events == [.ended])
  }

  @Test func `endless requests from a server that takes no answers are an error`() throws {
    var talk = try recording()
    let question = "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"
    #expect(throws: RTSPError.self) { for _ in 0..<10_000 { try talk.hear(question) } }
    #expect(talk.client.outgoing.count < 100_000)
  }

  @Test func `a server that takes its answers may make any number of requests`() throws {
    var talk = try recording()
    for _ in 0..<10_000 {
      try talk.hear("OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n")
      try talk.talk()
    }
    #expect(talk.server.statuses.count == 10_000)
  }
}
