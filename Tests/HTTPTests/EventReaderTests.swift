import HoldfastMediaModel
import Testing

@testable import HoldfastHTTP

@Suite struct EventReaderTests {
  private static let answer = "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
  private static let stream =
    "retry: 1000\nid: e-1\n\n:\n\nid: e-2\nevent: live\ndata: {\"a\":1}\n\nevent: status\ndata: one\ndata: two\n\n"
  private static let whole: String = answer + EventReaderTests.stream
  private static let events = [
    ServerSentEvent(id: "e-2", name: "live", data: #"{"a":1}"#),
    ServerSentEvent(id: nil, name: "status", data: "one\ntwo"),
  ]

  private var reader = EventReader()

  /// What a reader makes of a response in pieces.
  private func read(_ pieces: [[UInt8]]) throws -> [ServerSentEvent] {
    var reader = EventReader()
    return try pieces.flatMap { try reader.receive($0) }
  }

  private func stream(_ text: String) -> [UInt8] { Array((Self.answer + text).utf8) }

  private static var chunked: String {
    let chunks = stride(from: 0, to: stream.count, by: 5).map { start in
      let piece = stream.dropFirst(start).prefix(5)
      return String(piece.utf8.count, radix: 16) + "\r\n" + piece + "\r\n"
    }
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n" + chunks.joined() + "0\r\n\r\n"
  }

  @Test(arguments: [whole, chunked])
  func `the same bytes or chunks give the same events, however they arrive`(response: String) throws {
    let wrong = try Arrival.ways(of: Array(response.utf8)).first { try read($0) != Self.events }
    #expect(wrong?.map { String(decoding: $0, as: UTF8.self) } == nil)
  }

  @Test(
    arguments: [
      ("data: a\r\ndata:b\r\r\n", ["a\nb"]), ("data\n\n", [""]), ("data:  a\n\n", [" a"]),
      ("\u{FEFF}data: a\n\n", ["a"]), (": comment\n\ndata: a\n\n", ["a"]), ("event: x\n\n", []),
      ("other: x\ndata: a\n\n", ["a"]), ("data: a\rdata: b\r\r", ["a\nb"]),
    ] as [(String, [String])])
  func `lines end as the standard allows`(text: String, data: [String]) throws {
    let found = Set(try Arrival.ways(of: stream(text)).map { try read($0).map(\.data) })
    #expect(found == [data])
  }

  @Test mutating func `the last id is that of the last whole event, also without data`() throws {
    _ = try reader.receive(stream("id: e-1\n\n"))
    #expect(reader.lastID == "e-1")
    _ = try reader.receive(Array("id: e-2\ndata: x\n".utf8))
    #expect(reader.lastID == "e-1")
    _ = try reader.receive(Array("\ndata: y\n\n".utf8))
    #expect(reader.lastID == "e-2")
  }

  @Test(arguments: ["id: a\u{1}b\n\n", "id: ä\n\n", "id: " + String(repeating: "x", count: 257) + "\n\n"])
  mutating func `an id that a header can't hold is ignored`(text: String) throws {
    _ = try reader.receive(stream("id: e-1\n\n" + text))
    #expect(reader.lastID == "e-1")
  }

  @Test(
    arguments: [
      ("1500", .milliseconds(1500)), ("0", .zero), ("99999999999999999999999", .seconds(3600)), ("-1", nil),
      ("1s", nil), ("", nil),
    ] as [(String, MediaTime?)])
  mutating func `a server says when to connect again`(text: String, retry: MediaTime?) throws {
    _ = try reader.receive(stream("retry: \(text)\n"))
    #expect(reader.retry == retry)
  }

  @Test mutating func `an event without its end is not yet reported`() throws {
    #expect(try reader.receive(Array((Self.answer + "event: live\ndata: x\n").utf8)) == [])
  }

  @Test mutating func `a refusal is reported instead of events`() throws {
    #expect(try reader.receive(Array("HTTP/1.1 409 Conflict\r\n\r\n{}".utf8)) == [])
    #expect(reader.refusal?.status == 409 && reader.refusal?.text == "{}")
  }

  @Test(arguments: [
    "SSH-2.0\r\n\r\n", "HTTP/1.0 ?\r\n\r\n", String(repeating: "x", count: 2_000_000),
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
    // An event of many lines.
    answer + String(repeating: "data: " + String(repeating: "x", count: 1000) + "\n", count: 1100),
  ])
  func `bytes that are no HTTP response, no event stream or too long an event are an error`(text: String) {
    var reader = EventReader()
    #expect(throws: HTTPClientError.self) { try reader.receive(Array(text.utf8)) }
  }
}
