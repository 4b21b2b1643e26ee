import HoldfastMediaModel
import HoldfastRTMP
import Testing

@Suite struct RTMPURLTests {
  @Test(
    arguments: [
      ("rtmp://host/app/key", "host", 1935, "app", "key", "rtmp://host/app"),
      ("RTMP://host/app/key", "host", 1935, "app", "key", "rtmp://host/app"),
      ("rtmps://host/app/key", "host", 443, "app", "key", "rtmps://host/app"),
      ("rtmp://host:1936/app/key", "host", 1936, "app", "key", "rtmp://host:1936/app"),
      ("rtmps://host:1935/app/key", "host", 1935, "app", "key", "rtmps://host:1935/app"),
      ("rtmp://host/app/instance/key", "host", 1935, "app/instance", "key", "rtmp://host/app/instance"),
      ("rtmp://host//app//key/", "host", 1935, "app", "key", "rtmp://host/app"),
      ("rtmp://host/app/key?a=b&c=d", "host", 1935, "app", "key?a=b&c=d", "rtmp://host/app"),
      ("rtmp://host/app/key?sign=a/b==", "host", 1935, "app", "key?sign=a/b==", "rtmp://host/app"),
      ("rtmp://host/app?token=1/key", "host", 1935, "app?token=1", "key", "rtmp://host/app?token=1"),
      ("rtmp://[::1]/app/key", "::1", 1935, "app", "key", "rtmp://[::1]/app"),
      ("rtmp://[fe80::1]:80/app/key", "fe80::1", 80, "app", "key", "rtmp://[fe80::1]:80/app"),
      ("rtmp://user:word@host/app/key", "host", 1935, "app", "key", "rtmp://host/app"),
    ] as [(String, String, UInt16, String, String, String)])
  func `an RTMP address is split into its parts`(
    text: String, host: String, port: UInt16, application: String, name: String, tcURL: String
  ) throws {
    let url = try RTMPURL(text)
    #expect((url.host, url.port, url.tcURL) == (host, port, tcURL))
    #expect((url.application, url.streamName) == (application, name))
  }

  @Test(
    arguments: [
      ("rtmp://host/a/k", nil, nil), ("rtmp://me@host/a/k", "me", nil), ("rtmp://me:@host/a/k", "me", ""),
      ("rtmp://me:pa:ss@host/a/k", "me", "pa:ss"), ("rtmp://m%40x:p%2Fa%3as%25@host/a/k", "m@x", "p/a:s%"),
      ("rtmp://me:p@ss@host/a/k", "me", "p@ss"), ("rtmp://me:p@[::1]:1/a/k", "me", "p"),
    ] as [(String, String?, String?)])
  func `user and password are read and unescaped`(text: String, user: String?, password: String?) throws {
    let url = try RTMPURL(text)
    #expect(url.user == user && url.password == password)
  }

  @Test(arguments: [
    "", "host/app/key", "http://host/app/key", "rtmp:/host/app/key", "rtmpt://host/app/key", "rtmp://",
    "rtmp:///app/key",
    "rtmp://host", "rtmp://host/", "rtmp://host/app", "rtmp://host/app/", "rtmp://host?app/key",
    "rtmp://host/app?a=b",
    "rtmp://host/app?a=b/", "rtmp://:1935/app/key", "rtmp://host:/app/key", "rtmp://host:0/app/key",
    "rtmp://host:65536/app/key", "rtmp://host:+80/app/key", "rtmp://host:port/app/key", "rtmp://::1/app/key",
    "rtmp://[::1/app/key", "rtmp://[::1]80/app/key", "rtmp://[]/app/key", "rtmp://user%4:x@host/app/key",
    "rtmp://us%+fer:x@host/app/key", "rtmp://us%zz@host/app/key", "rtmp://ho st/app/key",
    "rtmp://host/app/key\n", "rtmp://host/app/\u{0}key", "rtmp://user:pa/ss@host/app/key",
  ])
  func `an invalid RTMP address is refused`(text: String) {
    #expect(throws: URLProblem.self) { try RTMPURL(text) }
  }

  @Test(arguments: [
    "rtmp://host/app/SECRET", "rtmp://host/app/SECRET?SECRET=SECRET", "rtmp://me:SECRET@host/app/SECRET",
    "rtmp://SECRET:SECRET@host:99/app/inst/SECRET", "rtmp://host/app?SECRET=SECRET/SECRET",
    "rtmp://host/app?a=SECRET/b/SECRET", "rtmps://[::1]/app/SECRET?a=b/SECRET",
    "rtmp://me:SECRET@SECRET@host/a/SECRET",
  ])
  func `a redacted RTMP address shows no key, password or arguments`(text: String) throws {
    #expect(!(try RTMPURL(text)).redacted.contains("SECRET"))
  }

  @Test(arguments: [
    "rtmp://host:SECRET/app/SECRET", "rtmp://SECRET%zz:SECRET@host/app/SECRET", "rtmp://host/SECRET",
  ])
  func `an error about an RTMP address does not repeat it`(text: String) {
    #expect { try RTMPURL(text) } throws: { !"\($0)".contains("SECRET") }
  }

  @Test func `a redacted RTMP address shows its host, port and application`() throws {
    #expect(try RTMPURL("rtmps://me:x@host:99/app/inst/key").redacted == "rtmps://host:99/app/inst/***")
  }
}
