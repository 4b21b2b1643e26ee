import HoldfastMediaModel
import HoldfastRTSP
import Testing

@Suite struct RTSPURLTests {
  @Test(arguments: [
    ("rtsp://host/live", false, "host", 554, "/live"),
    ("rtsps://host/live", true, "host", 322, "/live"),
    ("RTSP://host:8554/a/b?c=d", false, "host", 8554, "/a/b?c=d"),
    ("rtsp://host", false, "host", 554, "/"),
    ("rtsp://host?x", false, "host", 554, "/?x"),
    ("rtsp://[::1]:8554/x", false, "::1", 8554, "/x"),
    ("rtsp://[fe80::1]/x", false, "fe80::1", 554, "/x"),
    ("rtsp://u:p@host/x", false, "host", 554, "/x"),
    ("rtsp://u@host/x@y", false, "host", 554, "/x@y"),
    ("rtsp://host/ä", false, "host", 554, "/%C3%A4"),
  ])
  func `an RTSP address is split into its parts`(
    text: String, isSecure: Bool, host: String, port: UInt16, path: String
  ) throws {
    let url = try RTSPURL(text)
    #expect((url.isSecure, url.host, url.port, url.path) == (isSecure, host, port, path))
  }

  @Test(arguments: [
    ("", URLProblem.wrongScheme), ("host/x", .wrongScheme), ("http://host/x", .wrongScheme),
    ("rtsp:/host", .wrongScheme), ("rtsp://", .noHost), ("rtsp:///x", .noHost), ("rtsp://u:p@/x", .noHost),
    ("rtsp://:554/x", .noHost), ("rtsp://[::1/x", .unclosedBracket), ("rtsp://[]/x", .noHost),
    ("rtsp://host:/x", .wrongPort), ("rtsp://host:0/x", .wrongPort), ("rtsp://host:65536/x", .wrongPort),
    ("rtsp://host:+1/x", .wrongPort), ("rtsp://[::1]8/x", .textBeforePort),
    ("rtsp://host/a b", .wrongCharacter), ("rtsp://host/a\r\nb", .wrongCharacter),
  ])
  func `an invalid RTSP address is refused with its reason`(text: String, failure: URLProblem) {
    #expect(throws: failure) { try RTSPURL(text) }
  }

  @Test(
    arguments: [
      ("rtsp://u:p@host/x", "u", "p"), ("rtsp://u%40x:p%3A%2Fq@host/x", "u@x", "p:/q"),
      ("rtsp://u:@host/x", "u", ""), ("rtsp://u:a:b@host/x", "u", "a:b"), ("rtsp://host/x", nil, nil),
      ("rtsp://u:%zz%4@host/x", "u", "%zz%4"), ("rtsp://u:p@q@host/x", "u", "p@q"),
      ("rtsp://u@host/x", "u", nil),
    ] as [(String, String?, String?)])
  func `an RTSP address's user and password are decoded, and nil if missing`(
    text: String, user: String?, password: String?
  ) throws {
    let url = try RTSPURL(text)
    #expect((url.user, url.password) == (user, password))
  }

  @Test(arguments: [
    ("rtsp://u:p@host/live/key?token=1", "rtsp://host/live/key?token=1"),
    ("rtsps://u:p@[::1]:322/x", "rtsps://[::1]/x"), ("rtsp://host:8554", "rtsp://host:8554/"),
  ])
  func `RTSP requests never carry the address's credentials`(text: String, uri: String) throws {
    #expect(try RTSPURL(text).requestURI == uri)
  }

  @Test(arguments: [
    ("rtsp://u:p@host/live/key?token=1/2", "rtsp://host/***"), ("rtsp://host/key", "rtsp://host/***"),
    ("rtsps://[::1]:8322/a/b/key", "rtsps://[::1]:8322/***"), ("rtsp://host", "rtsp://host/***"),
  ])
  func `a redacted RTSP address shows no secrets`(text: String, shown: String) throws {
    #expect(try RTSPURL(text).redacted == shown)
  }
}
