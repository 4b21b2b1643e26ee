import HoldfastLifecycle
import Testing

@testable import HoldfastPublishing
@testable import HoldfastRTMP
@testable import HoldfastRTSP

@Suite struct OutputAddressTests {
  @Test(arguments: [
    ("rtmp://me:secret@one/live/key", "rtmp://two/live/key", "rtmp://two/live/key"),
    ("rtsp://me:secret@one/porch", "rtsp://two/porch", "rtsp://two/porch"),
    ("rtsp://me:secret@one/porch", "rtsp://one.two/porch", "rtsp://one.two/porch"),
    ("rtmp://me:secret@one/live/key", "rtmp://One:1936/live/key", "rtmp://me:secret@One:1936/live/key"),
    ("rtsp://me:secret@one/porch", "rtsps://one/attic", "rtsps://me:secret@one/attic"),
    ("rtmp://me:secret@one/live/key", "rtmp://you:other@two/live/key", "rtmp://you:other@two/live/key"),
  ])
  func `a redirection keeps the user and password on their host only, unless it has its own`(
    from: String, to: String, expected: String
  ) throws {
    #expect(try OutputAddress(from).moved(to: to) == OutputAddress(expected))
  }

  @Test(arguments: [
    ("rtmps://one/live/key", "rtmp://one/live/key"), ("rtsps://one/porch", "rtsp://one/porch"),
    ("rtmp://one/live/key", "nowhere"),
  ])
  func `a redirection to an insecure or invalid address is not followed`(from: String, to: String) throws {
    #expect(try OutputAddress(from).moved(to: to) == nil)
    #expect(try OutputAddress("rtmp://one/live/key").moved(to: "rtmps://two/live/key") != nil)
  }
}

@Suite struct QuotedWordsTests {
  @Test func `a password that was not sent is told with the way out`() throws {
    let refusal = RTSPRefusal(
      method: "ANNOUNCE", status: 401, reason: "Unauthorized", withholdsPassword: true)
    let error = SinkError(refusal, try RTSPURL("rtsp://me:hunter2@host/porch"))
    #expect(error.kind == .refused && error.what.contains("--insecure-auth"))
  }

  @Test(arguments: ["no attic here", "no PORCH", "1234567 is wrong", "hunter2?"])
  func `no part of an RTSP address is quoted`(words: String) throws {
    let refusal = RTSPRefusal(method: "ANNOUNCE", status: 404, reason: words)
    let url = try RTSPURL("rtsp://me:hunter2@host/attic/porch?token=1234567")
    #expect(SinkError(refusal, url).what.contains("(text withheld)"))
  }

  private func refusal(_ words: String, _ address: String) throws -> SinkError {
    let status = RTMPStatus(code: "NetStream.Publish.BadName", level: "error", description: words)
    return SinkError(RTMPRefusal(reason: .nameTaken, status: status), try RTMPURL(address))
  }

  @Test(arguments: [
    "Stream live/s3cret is already publishing", "token=abc123 is not valid", "s3cret?token=abc123",
    "wrong password hunter2", "no stream S3CRET", "no stream s3%63ret", "no stream s3\u{1B}cret",
    "no stream s\u{200B}3cret", "no stream s 3 c r e t", "no token ABC%31%32%33", "password hun%74er2",
  ])
  func `a server's text is not quoted if it repeats the key, an argument or the password`(
    words: String
  ) throws {
    let error = try refusal(words, "rtmp://me:hunter2@host/live/s3cret?token=abc123")
    #expect(error.what.contains("(text withheld)") && !error.what.contains(words))
    #expect(error.what.contains("NetStream.Publish.BadName"))
  }

  @Test func `a server's other text is quoted on one line of limited length`() throws {
    let words = "busy\u{1B}[31m\n\u{202E}\u{9B}now " + String(repeating: "x", count: 1000)
    let error = try refusal(words, "rtmp://host/live/s3cret")
    #expect(error.what.contains("busy[31mnow xxx") && error.what.count < 400)
  }
}
