import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

@testable import HoldfastCommands

/// A hub that answers what the test wants, over TCP on the loopback.
final class FakeHub: Sendable {
  private struct Handler: HTTPHandler {
    let received = Locked<[HTTPRequest]>([])
    let answer: @Sendable (_ request: HTTPRequest, _ number: Int) -> HTTPResponse

    func handle(_ request: HTTPRequest) -> Reply {
      let number = received.withLock { received in
        received.append(request)
        return received.count
      }
      return .immediate(answer(request, number))
    }
  }

  private let server: HTTPServer
  private let handler: Handler
  private let port: UInt16
  let history: EventHistory

  /// Requests are counted from 1.
  init(
    port: UInt16 = 0, answer: @escaping @Sendable (_ request: HTTPRequest, _ number: Int) -> HTTPResponse
  ) throws {
    let listener = try TCPListener(HostAndPort("127.0.0.1:\(port)"))
    self.port = listener.port
    let wakeup = try Wakeup()
    history = EventHistory(wakeup: wakeup)
    handler = Handler(answer: answer)
    server = try HTTPServer(nil, listeners: [listener], wakeup: wakeup, handler: handler)
  }

  /// Answers with the state of a session, and does each command.
  convenience init(_ state: JSONValue = state, events: [String] = []) throws {
    try self.init { request, _ in
      request.method == "GET" ? .json(state) : .ok(["events": .list(events.map(JSONValue.text))])
    }
  }

  var origin: String { "http://127.0.0.1:\(port)" }
  var url: String { "\(origin)/Stage%201" }
  var received: [HTTPRequest] { handler.received.withLock { $0 } }

  /// The bodies of all commands, without their ids.
  var commands: [String] {
    received.filter { $0.method == "POST" }.compactMap { request in
      guard case .object(let fields)? = try? JSONValue(reading: request.body.span) else { return nil }
      return JSONValue.object(fields.filter { $0.key != "requestId" }).description
    }
  }

  func stop() { server.stop() }

  func run(_ arguments: [String], environment: [String: String] = [:]) throws(Refusal) -> Int32 {
    try SessionCommand([url] + arguments, environment: environment).run()
  }

  static let anna = "annaannaannaanna"
  static let left = "leftleftleftleft"
  static let right = "rightrightrightr"
  static let away = "awayawayawayaway"
  static let removed = "removedremovedre"

  static let state: JSONValue = {
    let text = #"""
      {"name":"Stage 1","version":"7-3","epoch":7,"at":"2026-11-26T10:24:55Z","host":"\#(anna)","stage":null,
      "locked":true,"hasPassword":true,"screensLocked":false,
      "timer":{"startedAt":"2026-11-26T10:00:00Z","endsAt":"2026-11-26T11:30:00Z","secondsLeft":3905},
      "onAir":{"job":"j","state":"live","reason":null,"mediaTime":12.5,"outputs":2},"mayReclaim":[],
      "members":[
      {"id":"\#(anna)","name":"Anna","kind":"person","role":"host","state":"idle","silent":false,
       "lastBeat":"2026-11-26T10:24:52Z","muted":[]},
      {"id":"\#(left)","name":"Camera","kind":"box","role":"participant","state":"live","silent":false,
       "lastBeat":"2026-11-26T10:24:50Z","muted":["audio","video"]},
      {"id":"\#(right)","name":"camera","kind":"box","role":"manager","state":"live","silent":true,
       "lastBeat":"2026-11-26T10:22:35Z","muted":["audio"]}],
      "away":[{"id":"\#(away)","name":"Große Bühne","kind":"box","role":"participant","why":"expired",
       "lastSeen":"2026-11-26T08:20:00Z"}],
      "removed":[{"id":"\#(removed)","name":"Anna","extra":1}]}
      """#
    return (try? JSONValue(reading: Array(text.utf8).span)) ?? .null
  }()
}
