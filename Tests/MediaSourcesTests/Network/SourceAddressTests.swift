import HoldfastFFmpeg
import HoldfastMediaModel
import Testing

@testable import HoldfastMediaSources

@Suite struct SourceAddressTests {
  @Test(arguments: [
    ("rtsp://user:pass@cam.lan/stream?key=secret", "rtsp://cam.lan/***"),
    ("rtmp://host:1936/live/secret", "rtmp://host:1936/***"),
    ("rtmps://host/live/secret", "rtmps://host/***"),
    ("https://[::1]:8443/live/secret.m3u8?token=secret", "https://[::1]:8443/***"),
    ("http://host/cam.mjpg", "http://host/***"),
    ("srt://host:9000?passphrase=secretsecret&streamid=secret", "srt://host:9000"),
    ("srt://:9000?mode=listener", "srt://0.0.0.0:9000?mode=listener"), ("RTSP://host", "rtsp://host/***"),
  ])
  func `an address is shown without what may be a key`(text: String, shown: String) throws {
    #expect(try SourceAddress(text).redacted == shown)
  }

  @Test(arguments: [
    "", "rtsp", "rtsp:", "rtsp:/host", "ftp://host/x", "file:///etc/passwd", "concat:a|b", "rtsp://",
    "rtsp:///x", "http://host:0/x", "http://host:70000/x", "http://host/a b", "http://host/\u{7}",
    "srt://host", "srt://:9000", "srt://host:9000?mode=rendezvous", "srt://host:9000?latency=1e9",
    "srt://host:9000?passphrase=short", "srt://host:9000?pbkeylen=17", "srt://host:9000?unknown=1",
    "srt://host:9000?latency", "http://[::1/x",
  ])
  func `what is no address of a source is refused, and said without its text`(text: String) {
    #expect { _ = try SourceAddress(text) } throws: { error in
      guard let problem = error as? InvalidValue else { return false }
      return !problem.what.contains("host") || !text.contains("host") || problem.what.contains("a host")
    }
  }

  @Test func `libavformat may open only what the address is of`() throws {
    for (text, protocols) in [
      ("rtsp://h/x", ["rtsp", "rtsps", "rtp", "srtp", "udp", "tcp", "tls"]), ("srt://h:1", ["srt"]),
      ("http://h/x", ["http", "https", "tcp", "tls", "crypto", "httpproxy"]),
      ("rtmp://h/a/b", ["rtmp", "rtmps", "tcp", "tls"]),
    ] {
      #expect(NetworkSettings(try SourceAddress(text)).input.protocols == protocols)
    }
  }

  @Test func `latencies of SRT are milliseconds, as for outputs`() throws {
    let settings = NetworkSettings(try SourceAddress("srt://h:1?latency=250&streamid=a%20b"))
    #expect(settings.input.url == "srt://h:1")
    #expect(settings.input.options["latency"] == "250000" && settings.input.options["streamid"] == "a b")
  }

  @Test func `certificates are verified unless that is switched off`() throws {
    var settings = NetworkSettings(try SourceAddress("https://h/x"))
    #expect(settings.input.options["tls_verify"] == "1")
    settings.isVerified = false
    #expect(settings.input.options["tls_verify"] == "0")
  }
}

@Suite struct SourceHolesTests {
  private func lost(_ times: [Double]) -> [Int] {
    var holes = SourceHoles()
    return times.map { holes.before(MonotonicTime(nanoseconds: Int64($0 * 1e9))) }
  }

  @Test func `pictures missing between two are counted`() {
    let times = (0..<60).filter { !(30..<34).contains($0) }.map { Double($0) / 30 }
    #expect(lost(times).filter { $0 > 0 } == [4])
  }

  @Test func `late pictures are not missing`() {
    let times = (0..<300).map { (count: Int) -> Double in
      let late = count % 3 == 0 ? 0.012 : 0
      return Double(count) / 30 + late
    }
    #expect(lost(times).allSatisfy { $0 == 0 })
  }

  @Test func `a rate that varies has no holes`() {
    var time = 0.0
    let times = (0..<200).map { count in
      time += [0.03, 0.04, 0.035, 0.05][count % 4]
      return time
    }
    #expect(lost(times).allSatisfy { $0 == 0 })
  }

  @Test func `another rate becomes the usual one`() {
    let slow = (0..<30).map { 1 + Double($0) / 10 }
    #expect(lost((0..<30).map { Double($0) / 30 } + slow).suffix(20).allSatisfy { $0 == 0 })
  }
}
