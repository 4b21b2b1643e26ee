import Testing

@testable import HoldfastPublishing
@testable import HoldfastRTMP

@Suite struct OutputAddressTests {
  private func moved(_ from: String, _ to: String) throws -> OutputAddress? {
    try OutputAddress(from).moved(to: to)
  }

  @Test(arguments: [
    ("rtmp://me:secret@one/live/key", "rtmp://two/live/key", "rtmp://me:secret@two/live/key"),
    ("rtsp://me:secret@one/porch", "rtsp://two/porch", "rtsp://me:secret@two/porch"),
    ("rtmp://me:secret@one/live/key", "rtmp://you:other@two/live/key", "rtmp://you:other@two/live/key"),
  ])
  func `a redirection keeps the user and password, unless it has its own`(
    from: String, to: String, expected: String
  ) throws {
    #expect(try moved(from, to) == OutputAddress(expected))
  }

  @Test(arguments: [
    ("rtmps://one/live/key", "rtmp://one/live/key"), ("rtsps://one/porch", "rtsp://one/porch"),
    ("rtmp://one/live/key", "nowhere"),
  ])
  func `a redirection to an insecure or invalid address is not followed`(from: String, to: String) throws {
    #expect(try moved(from, to) == nil)
    #expect(try moved("rtmp://one/live/key", "rtmps://two/live/key") != nil)
  }
}

@Suite struct QuotedWordsTests {
  private func refusal(_ words: String, _ address: String) throws -> SinkError {
    let status = RTMPStatus(code: "NetStream.Publish.BadName", level: "error", description: words)
    return SinkError(RTMPRefusal(reason: .nameTaken, status: status), try RTMPURL(address))
  }

  @Test(arguments: [
    "Stream live/s3cret is already publishing", "token=abc123 is not valid", "s3cret?token=abc123",
    "wrong password hunter2",
  ])
  func `a server's text is not quoted if it repeats the key, an argument or the password`(
    words: String
  ) throws {
    let error = try refusal(words, "rtmp://me:hunter2@host/live/s3cret?token=abc123")
    #expect(
      !error.what.contains("s3cret") && !error.what.contains("abc123") && !error.what.contains("hunter2"))
    #expect(error.what.contains("NetStream.Publish.BadName"))
  }

  @Test func `a server's other text is quoted on one line of limited length`() throws {
    let words = "busy\u{1B}[31m\nnow " + String(repeating: "x", count: 1000)
    let error = try refusal(words, "rtmp://host/live/s3cret")
    #expect(error.what.contains("busy[31mnow xxx") && error.what.count < 400)
  }
}
