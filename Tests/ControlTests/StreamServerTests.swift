import Foundation
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastControl
@testable import HoldfastHTTP

/// Streams, against the real server.
@Suite(.longRealTime, .serialized) struct StreamServerTests {
  /// A server whose paths are `/events` (with `?status`), `/pictures` and `/short`.
  private final class Streaming: HTTPHandler {
    let wakeup: Wakeup
    let history: EventHistory
    let picture = Locked<NumberedPicture?>(nil)
    private let latest = LatestStatus { #"{"state":"live"}"# }

    init() throws {
      wakeup = try Wakeup()
      history = EventHistory(wakeup: wakeup)
    }

    func handle(_ request: HTTPRequest) -> Reply { .immediate(response(to: request)) }

    func response(to request: HTTPRequest) -> HTTPResponse {
      switch request.path {
      case "/events":
        let pace = request.query["status"].flatMap { Int64($0) }.map { MediaTime.milliseconds($0) }
        return .events(
          EventStream(history, after: request.lastEventID, status: pace.map { (latest, $0) }, at: .now))
      case "/pictures": return .pictures(PictureStream(at: .now) { [picture] in picture.withLock { $0 } })
      default: return .json([:])
      }
    }

    func tell(_ numbers: ClosedRange<Int>, padding: Int = 0) {
      let padding = String(repeating: "x", count: padding)
      for number in numbers { history.append(name: "gap", data: "<\(number)>\(padding)") }
    }
  }

  private let handler: Streaming
  private let server: TestServer

  init() throws {
    handler = try Streaming()
    server = try Self.server(handler, .tcp)
  }

  private static func server(_ handler: Streaming, _ limits: HTTPLimits) throws -> TestServer {
    try TestServer(tcp: "127.0.0.1:0", tcpLimits: limits, wakeup: handler.wakeup, handler: handler)
  }

  /// A server with other limits instead of the suite's: two with one wakeup would take each other's signals.
  private func replaceServer(_ limits: HTTPLimits) throws -> TestServer {
    server.server.stop()
    return try Self.server(handler, limits)
  }

  /// A client that reads events.
  private func reader(of server: TestServer? = nil) throws -> WireClient {
    let client = try (server ?? self.server).connectTCP()
    client.get("/events")
    try client.wait(for: "retry: 1000")
    return client
  }

  /// The numbers of the events in what a client got, in order. `memchr` because it is half a megabyte for each client.
  private func numbers(_ text: String) -> [Int] {
    var (text, numbers) = (text, [Int]())
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, let found = memchr(base, Int32(UInt8(ascii: "<")), rest.count) {
        rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - base + 1)...])
        let digits = rest.prefix { $0 != UInt8(ascii: ">") }
        if let number = Int(String(decoding: digits, as: UTF8.self)) { numbers.append(number) }
      }
    }
    return numbers
  }

  @Test func `an event reaches a reader when it happens`() throws {
    let client = try reader()
    #expect(client.text.contains("Content-Type: text/event-stream\r\n"))
    #expect(client.text.contains("Cache-Control: no-store\r\n"))
    let told = MonotonicTime.now
    handler.tell(1...1)
    try client.wait(for: "<1>")
    // With no wakeup it would take the 15 seconds of the next comment.
    #expect(.now - told < .seconds(12))
  }

  @Test func `a stop of the server ends a stream after all its events`() throws {
    let clients = try (1...20).map { _ in try reader() }
    handler.tell(1...100)
    server.server.stop()
    for client in clients {
      #expect(numbers(client.rest()) == Array(1...100))
      #expect(client.received.suffix(7) == Array("\r\n0\r\n\r\n".utf8))
    }
  }

  @Test func `HEAD of a stream has no body, and the connection stays usable`() throws {
    let client = try server.connectTCP(sending: "HEAD /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    client.get("/short")
    try client.wait(for: "{}")
    #expect(client.text.contains("Content-Type: text/event-stream"))
    #expect(!client.text.contains("retry:"))
  }

  @Test func `a client that speaks HTTP 1.0 gets a stream without chunks`() throws {
    let client = try server.connectTCP(sending: "GET /events HTTP/1.0\r\nHost: localhost\r\n\r\n")
    try client.wait(for: "retry: 1000")
    handler.tell(1...3)
    try client.wait(for: "<3>")
    server.server.stop()
    #expect(client.rest().hasSuffix("data: <3>\n\n"))
  }

  @Test func `a client that has finished sending may still read`() throws {
    let client = try reader()
    client.finishSending()
    handler.tell(1...50)
    try client.wait(for: "<50>")
    #expect(numbers(client.text) == Array(1...50))
  }

  @Test func `status events are sent at their interval while nothing happens`() throws {
    let client = try server.connectTCP()
    let began = MonotonicTime.now
    client.get("/events?status=100")
    try client.wait(for: "event: status", times: 6)
    #expect(.now - began >= .milliseconds(450))
  }

  @Test func `pictures follow each other, and other requests are answered meanwhile`() throws {
    let client = try server.connectTCP()
    client.get("/pictures")
    for number in 1...3 {
      handler.picture.withLock {
        $0 = .init(number: number, jpeg: Array("<\(number)>".utf8) + [UInt8](repeating: 0x78, count: 100_000))
      }
      try client.wait(for: "<\(number)>")
      #expect(try server.curl("/short").status == 200)
    }
    try client.wait(for: "\r\n--picture\r\n", times: 4)
    #expect(client.received.count > 300_000)
  }

  @Test func `300 readers get every event once in order, and one that never reads is dropped`() throws {
    let server = try replaceServer(HTTPLimits(connections: 400, streams: 400, timeout: .seconds(2)))
    let lazy = try server.connectTCP(receiveBuffer: 4096)
    lazy.get("/events")
    let clients = try (1...300).map { _ in try server.connectTCP() }
    for client in clients { client.get("/events") }
    for client in clients { try client.wait(for: "retry: 1000") }
    // More than the system keeps for a client, in portions that those who read can follow.
    for portion in 0..<9 {
      let last = portion * 50 + 50
      handler.tell(portion * 50 + 1...last, padding: 1000)
      for client in clients { try client.wait(for: "<\(last)>") }
    }
    for client in clients { #expect(numbers(client.text) == Array(1...450)) }
    // The server's timeout passes before the lazy client reads what the kernel holds for it.
    let other = try server.connectTCP()
    other.get("/events?status=500")
    try other.wait(for: "event: status", times: 8)
    #expect(lazy.hangsUp(within: .seconds(20)))
    #expect(numbers(lazy.text).count < 450)
    handler.tell(451...451)
    for client in clients { try client.wait(for: "<451>") }
  }

  @Test func `a reader that reconnects continues where it was`() throws {
    let first = try reader()
    handler.tell(1...5)
    try first.wait(for: "<5>")
    let id = "\(handler.history.epoch)-5"
    #expect(first.text.contains("id: \(id)\n"))
    handler.tell(6...9)
    let second = try server.connectTCP()
    second.get("/events", "Last-Event-ID: \(id)\r\n")
    try second.wait(for: "<9>")
    handler.tell(10...10)
    try second.wait(for: "<10>")
    #expect(numbers(second.text) == Array(6...10))
    let third = try server.connectTCP()
    third.get("/events", "Last-Event-ID: 0-5\r\n")
    try third.wait(for: "event: reset\ndata: {}\n\n")
  }

  @Test func `a stream beyond the limit is refused, and a closed one makes room`() throws {
    let server = try replaceServer(HTTPLimits(connections: 400, streams: 3))
    for _ in 1...5 {
      let clients = try readers(3, of: server)
      let refused = try server.curlTCP("/events")
      #expect(refused.refusal == "503 tooManyStreams")
      #expect(try server.curlTCP("/short").status == 200)
      withExtendedLifetime(clients) {}
    }
  }

  /// `count` streams at once, as soon as there is room: a closed one is noticed only when it is written to.
  private func readers(_ count: Int, of server: TestServer) throws -> [WireClient] {
    let deadline = MonotonicTime.now + .seconds(20)
    while .now < deadline {
      handler.tell(1...1)
      let clients = try (1...count).map { _ in try server.connectTCP() }
      for client in clients {
        client.get("/events")
        _ = client.receive(until: .now + .seconds(30))
      }
      if clients.allSatisfy({ $0.text.hasPrefix("HTTP/1.1 200") }) { return clients }
    }
    throw TestFailure("the streams of those who left are counted still")
  }

  @Test func `the Unix socket still answers when the TCP port is full`() throws {
    let server = try replaceServer(HTTPLimits(connections: 10, streams: 10))
    let clients = try (1...10).map { _ in try reader(of: server) }
    #expect(try server.connectTCP().hangsUp())
    #expect(try server.curl("/short").status == 200)
    withExtendedLifetime(clients) {}
  }
}
