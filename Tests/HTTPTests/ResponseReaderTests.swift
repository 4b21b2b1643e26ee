import HoldfastMediaModel
import TestRandomness
import Testing

@testable import HoldfastHTTP

@Suite struct ResponseReaderTests {
  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"

  /// The texts of a response, and whether its connection is kept.
  private struct Reading: Hashable {
    var status: Int?
    var body: String?
    var keeps = false
    var problem: String?
  }

  private func read(_ pieces: [[UInt8]]) -> Reading {
    var reader = ResponseReader()
    var reading = Reading()
    do {
      for piece in pieces {
        if let response = try reader.receive(piece) {
          (reading.status, reading.body) = (response.status, response.text)
        }
      }
      reading.keeps = reader.keepsConnection
    } catch {
      reading.problem = error.what
    }
    return reading
  }

  @Test(
    arguments: [
      ("HTTP/1.1 409 Conflict\r\nDate: x\r\ncontent-length:  4 \r\n\r\nabcd", 409, "abcd", true),
      ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200, "", true),
      ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab", 200, "ab", true),
      ("HTTP/1.1 204 No Content\r\n\r\n", 204, "", true),
      ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", 200, "a", false),
      ("HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 1\r\n\r\na", 200, "a", false),
      ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\n", 200, "a", false),
      (
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 503 Away\r\nContent-Length: 1\r\n\r\na",
        503, "a", true
      ),
      (chunked + "3\r\nabc\r\n0\r\n\r\n", 200, "abc", true),
      (
        chunked + "0002;a=b\r\nab\r\nB \r\n01234567890\r\n0\r\nTrailer: x\r\n\r\n", 200, "ab01234567890", true
      ),
      (chunked + "0\r\n\r\n", 200, "", true),
    ] as [(String, Int, String, Bool)])
  func `a response is the same, however it arrives`(text: String, status: Int, body: String, keeps: Bool) {
    let expected = Reading(status: status, body: body, keeps: keeps)
    let wrong = Arrival.ways(of: Array(text.utf8)).first { read($0) != expected }
    #expect(wrong == nil, "\(wrong.map(read) as Any)")
  }

  /// What is no response, by what is wrong with it.
  private static let wrong: [String: [String]] = [
    "the first line is not HTTP": [
      "SSH-2.0-OpenSSH\r\n", "\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n",
      "HTTP/2 200 OK\r\n\r\n",
    ],
    "the status 999 is unknown": ["HTTP/1.1 999 ?\r\n\r\n"],
    "the server has changed the protocol": ["HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    "a line does not end with CR LF": ["HTTP/1.1 200 OK\nContent-Length: 1\n\na"],
    "a header is malformed": [
      "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\n: no name\r\n\r\n",
      "HTTP/1.1 200 OK\r\nName : x\r\n\r\n", "HTTP/1.1 200 OK\r\nA: x\r\n folded\r\n\r\n",
      "HTTP/1.1 200 OK\r\nA: \u{1}\r\n\r\n",
    ],
    "its length is missing": ["HTTP/1.1 200 OK\r\n\r\n"],
    "its length is not a number": [
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na",
      "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\na", "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\na",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
    ],
    "it is too long": [
      "HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n",
    ],
    "its encoding is unknown": [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
      "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
    "the size of a chunk is not a number": [
      chunked + "\r\n", chunked + "-1\r\n", chunked + "+1\r\na\r\n", chunked + "0x1\r\na\r\n",
      chunked + "FFFFFFFFFFFFFFFF\r\n",
    ],
    "a chunk is too large": [chunked + "FFFFFFFFFFFFFFF\r\n"],
    "a chunk is too long": [chunked + "1\r\nabc\r\n"],
    "the line before a chunk is too long": [chunked + "1;" + String(repeating: "x", count: 300)],
    "the trailer is too long": [chunked + "0\r\n" + String(repeating: "A: x\r\n", count: 5000)],
    "the header is too long": [
      String(repeating: "x", count: 17_000),
      "HTTP/1.1 200 OK\r\n" + String(repeating: "A: x\r\n", count: 5000),
    ],
  ]

  @Test(arguments: wrong.flatMap { problem, texts in texts.map { ($0, problem) } })
  func `what is no response is refused, however it arrives`(text: String, problem: String) {
    let problems = Set(Arrival.ways(of: Array(text.utf8)).map { read($0).problem })
    #expect(problems == ["the response can't be read: " + problem])
  }

  @Test(arguments: [0, 1])
  func `a chunked body is limited as a whole`(more: Int) {
    let piece = String(repeating: "x", count: 65_536)
    let text =
      Self.chunked + String(repeating: "10000\r\n\(piece)\r\n", count: 16)
      + (more == 0 ? "" : "1\r\nx\r\n") + "0\r\n\r\n"
    let reading = read([Array(text.utf8)])
    #expect(reading.body?.utf8.count == (more == 0 ? 1_048_576 : nil))
    #expect(reading.problem == (more == 0 ? nil : "the response can't be read: it is too long"))
  }

  @Test func `random bytes neither trap nor are a response`() {
    var randomness = SplitMix64(seed: 5)
    let alphabet =
      Array("HTTP/1. 200\r\n:Content-LengthTransfer-Encodingchunked0afF-;".utf8) + [0, 0xFF, 0x80]
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...80, using: &randomness)).compactMap { _ in
        alphabet.randomElement(using: &randomness)
      }
      _ = read([Array((Bool.random(using: &randomness) ? Self.chunked : "").utf8) + bytes])
    }
  }

  @Test(
    arguments: [
      ("7", .seconds(7)), ("0", .zero), ("99999", .seconds(86_400)), ("-1", nil), ("1.5", nil), ("", nil),
      ("Fri, 31 Dec 1999 23:59:59 GMT", nil), ("999999", nil),
    ] as [(String, MediaTime?)])
  func `a server says how long to wait`(text: String, wait: MediaTime?) throws {
    var reader = ResponseReader()
    let response = try reader.receive(
      Array("HTTP/1.1 503 Away\r\nretry-AFTER: \(text)\r\nContent-Length: 0\r\n\r\n".utf8))
    #expect(response != nil && response?.retryAfter == wait)
  }
}
