import HoldfastMediaModel
import Testing

@testable import HoldfastPublishing

@Suite struct SRTURLTests {
  @Test func `all parameters of an SRT address are read`() throws {
    let url = try SRTURL(
      "srt://example.org:9000?mode=caller&latency=250&passphrase=ten%20letters%26&pbkeylen=32&streamid=%23!::r=a/b?c"
        + "&peeridletimeo=4000&maxbw=1000000")
    #expect((url.host, url.port, url.streamID) == ("example.org", 9000, "#!::r=a/b?c"))
    #expect(url.secret == SRTURL.Secret(passphrase: "ten letters&", keyLength: 32))
    #expect((url.latency, url.peerIdleTimeout) == (.milliseconds(250), .seconds(4)))
    #expect(url.maxBytesPerSecond == 1_000_000)
  }

  @Test(
    arguments: [
      ("srt://127.0.0.1:9000", "127.0.0.1", 9000), ("SRT://host:1/", "host", 1),
      ("srt://[::1]:65535?", "::1", 65535),
    ] as [(String, String, UInt16)])
  func `a host and a port are enough for an SRT address`(text: String, host: String, port: UInt16) throws {
    let url = try SRTURL(text)
    #expect(url.host == host && url.port == port)
    #expect(url.latency == .milliseconds(120) && url.secret == nil && url.streamID == nil)
  }

  @Test func `a stream ID may be written without escapes`() throws {
    #expect(try SRTURL("srt://h:1?streamid=#!::r=live/one,m=publish").streamID == "#!::r=live/one,m=publish")
  }

  @Test(
    arguments: [
      ("rtmp://h/app", .notSRT), ("srt://", .noPort), ("srt://h", .noPort), ("srt://h:", .noPort),
      ("srt://h:0", .noPort), ("srt://h:65536", .noPort), ("srt://h:1x", .noPort),
      ("srt://a:b:1", .wrongHost), ("srt://h/path:1", .wrongHost), ("srt://user@h:1", .wrongHost),
      ("srt://:9000", .notCaller("listener")), ("srt://h:1?mode=listener", .notCaller("listener")),
      ("srt://h:1?mode=x", .notCaller("x")),
      ("srt://h:1?latncy=1", .unknownKey("latncy", nearest: "latency")),
      ("srt://h:1?quite=1", .unknownKey("quite", nearest: nil)), ("srt://h:1?latency", .noValue),
      ("srt://h:1?pbkeylen=16", .keyLengthWithoutPassphrase),
    ] as [(String, SRTURLError)])
  func `an invalid SRT address is refused with its error`(text: String, error: SRTURLError) {
    #expect(throws: error) { try SRTURL(text) }
  }

  @Test(arguments: [
    "latency=-1", "latency=1s", "latency=200000", "latency=99999999999999999999", "passphrase=short",
    "passphrase=" + String(repeating: "x", count: 80), "passphrase=abcdefghijk&pbkeylen=17", "maxbw=0",
    "maxbw=-2", "peeridletimeo=x", "passphrase=cut%2", "passphrase=abcdefghijk%+1",
    "passphrase=zero%00zero%00", "streamid=%FF", "streamid=" + String(repeating: "x", count: 513),
  ])
  func `an impossible parameter value is refused`(argument: String) {
    #expect(throws: SRTURLError.self) { try SRTURL("srt://h:1?\(argument)") }
  }

  @Test func `a latency in microseconds, as ffmpeg writes it, is refused with a hint`() {
    let error = #expect(throws: SRTURLError.self) { try SRTURL("srt://h:1?latency=200000") }
    #expect(error?.description.contains("microseconds") == true)
  }

  @Test(arguments: [
    "srt://h:1?passphrase=TOPSECRETS&streamid=TOPSECRETS", "srt://[::1]:1?streamid=TOPSECRETS",
  ])
  func `secrets in an address are never shown`(text: String) throws {
    let url = try SRTURL(text)
    #expect(!url.redacted.contains("SECRET") && url.redacted.hasSuffix("streamid=…"))
    #expect(!"\(url)".contains("SECRET"))
  }

  @Test(arguments: [
    "passphrase=TOPSECRET%", "passphrase=TOPSECRET", "passphrase=TOP&SECRETS", "pbkeylen=TOPSECRET",
  ])
  func `errors about an address show no secrets`(argument: String) throws {
    let error = #expect(throws: SRTURLError.self) { try SRTURL("srt://h:1?streamid=TOPSECRET&\(argument)") }
    #expect(error?.description.contains("SECRET") == false)
  }
}
