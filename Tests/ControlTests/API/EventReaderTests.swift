import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP

@Suite struct EventReaderTests {
  private static let answer = "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
  private static let stream =
    "retry: 1000\nid: e-1\n\n:\n\nid: e-2\nevent: live\ndata: {\"a\":1}\n\nevent: status\ndata: one\ndata: two\n\n"
  private static let events = [
    ServerSentEvent(id: "e-2", name: "live", data: #"{"a":1}"#),
    ServerSentEvent(id: nil, name: "status", data: "one\ntwo"),
  ]

  @Test func `the same bytes give the same events, however they arrive`() throws {
    let bytes = Array((Self.answer + Self.stream).utf8)
    for size in [1, 2, 3, 7, 50, bytes.count] {
      var reader = EventReader()
      var events: [ServerSentEvent] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        events += try reader.receive(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(events == Self.events, "pieces of \(size)")
    }
  }

  @Test func `an event without its end is not yet reported`() throws {
    var reader = EventReader()
    #expect(try reader.receive(Array((Self.answer + "event: live\ndata: x\n").utf8)) == [])
  }

  @Test func `a refusal is reported instead of events`() throws {
    var reader = EventReader()
    #expect(try reader.receive(Array("HTTP/1.1 409 Conflict\r\n\r\n{}".utf8)) == [])
    #expect(reader.refusal?.status == 409 && reader.refusal?.text == "{}")
  }

  @Test(arguments: ["SSH-2.0\r\n\r\n", "HTTP/1.0 ?\r\n\r\n", String(repeating: "x", count: 2_000_000)])
  func `bytes that are not an HTTP response are an error`(text: String) {
    var reader = EventReader()
    #expect(throws: HTTPClientError.self) { try reader.receive(Array(text.utf8)) }
  }
}
