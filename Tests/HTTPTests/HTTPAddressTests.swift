import HoldfastMediaModel
import TestSupport
import Testing

@testable import HoldfastHTTP

@Suite struct HTTPAddressTests {
  @Test(
    arguments: [
      ("https://hub.example/stage", "https://hub.example/stage", "stage"),
      ("HTTPS://Hub.Example:443/stage/", "https://hub.example/stage", "stage"),
      ("https://hub:8787/Gro%C3%9Fe%20Halle", "https://hub:8787/Gro%C3%9Fe%20Halle", "Große Halle"),
      ("https://hub/Große", "https://hub/Gro%C3%9Fe", "Große"),
      ("https://[2001:db8::1]:444/a.b-c_d~e", "https://[2001:db8::1]:444/a.b-c_d~e", "a.b-c_d~e"),
      ("http://127.0.0.1:8787/stage", "http://127.0.0.1:8787/stage", "stage"),
      ("http://[::1]:80/a%2Fb", "http://[::1]/a%2Fb", "a/b"),
      ("http://localhost:8787/1%2B1", "http://localhost:8787/1%2B1", "1+1"),
    ] as [(String, String, String)])
  func `an address has a server and a name`(text: String, written: String, name: String) throws {
    let address = try HTTPAddress(text)
    #expect((address.description, address.name) == (written, name))
    #expect(try HTTPAddress(written) == address)
  }

  /// Wrong addresses, by how they are explained.
  private static let wrong: [String: [String]] = [
    "not an https address; write https://HOST or https://HOST:PORT": ["hub/stage", "rtmp://hub/stage"],
    "the address has no name after the host; write https://hub/NAME": [
      "https://hub", "https://hub/", "https://hub//",
    ],
    "the address has more than one name after the host; write https://hub/NAME": ["https://hub/a/b"],
    "an address without a host; write https://HOST or https://HOST:PORT": ["https:///stage"],
    "a port that is not a number from 1 to 65535; write https://HOST or https://HOST:PORT": [
      "https://hub:0/stage"
    ],
    "the address has a user name or a password; leave it out; use a token": ["https://anna:secret@hub/stage"],
    "the address has a query or a fragment; leave it out, or write ? as %3F and # as %23": [
      "https://hub/a?b", "https://hub/a#b",
    ],
    "the address has a space or an unprintable character; write a space as %20": [
      "https://hub/a b", "https://hub/a\u{202E}b",
    ],
    "the host has letters beyond ASCII; write its name as xn--…": ["https://hüb/a"],
    "a % that is not followed by two hexadecimal digits; write a % of the name as %25": ["https://hub/100%"],
    "the name is not UTF-8; encode it as UTF-8 before its percent signs": ["https://hub/%FF"],
    "http to another machine is not encrypted: tokens and keys could be read on the way; use https, or "
      + "--insecure-lan on a network that you trust": [
        "http://hub.example/a", "http://192.168.1.5/a",
      ],
  ]

  @Test(arguments: wrong.flatMap { problem, texts in texts.map { ($0, problem) } })
  func `a wrong address is explained`(text: String, problem: String) {
    #expect(failure { () throws(InvalidValue) in try HTTPAddress(text) }?.description == problem)
  }

  @Test func `http leaves this machine if that is asked for`() throws {
    #expect(try HTTPAddress("http://192.168.1.5:8787/a", insecureLAN: true).origin.port == 8787)
  }

  @Test(arguments: ["https://hub", "https://hub/"])
  func `a server alone has no path`(text: String) throws {
    #expect(try HTTPOrigin(text).description == "https://hub")
    #expect(throws: InvalidValue.self) { try HTTPOrigin("https://hub/stage") }
  }
}
