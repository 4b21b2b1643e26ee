import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastHTTP

@Suite struct HTTPEventStreamTests {
  private static let timeout = MediaTime.seconds(30)
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  private let stop: Wakeup

  init() throws { stop = try Wakeup() }

  private func open(
    _ origin: HTTPOrigin, tls: TLSSettings = TLSSettings(), after id: String? = nil,
    silence: MediaTime = HTTPEventStream.maxSilence
  ) throws -> HTTPEventStream {
    var request = HTTPRequest("GET", "/events")
    request.lastEventID = id
    let opening = try HTTPEventStream.open(
      request, at: origin, tls: tls, within: Self.timeout, silence: silence, stop: stop)
    switch consume opening {
    case .stream(let stream): return stream
    case .refused(let response): throw TestFailure("refused: \(response.status) \(response.text)")
    }
  }

  /// A server of a history of events, which the test appends to.
  private func serve(
    certificate: TestCertificate.Kind? = nil
  ) throws -> (server: HandlerServer, history: EventHistory) {
    let history = Locked<EventHistory?>(nil)
    let server = try HandlerServer(certificate: certificate) { request in
      guard let history = history.withLock({ $0 }) else { return .immediate(.ok()) }
      return .immediate(.events(EventStream(history, after: request.lastEventID, at: .now)))
    }
    let events = EventHistory(wakeup: server.wakeup)
    history.withLock { $0 = events }
    return (server, events)
  }

  private func next(_ stream: inout HTTPEventStream) throws -> HTTPEventStream.Step {
    try stream.next(until: generousDeadline)
  }

  @Test(arguments: [nil, .valid] as [TestCertificate.Kind?])
  func `events arrive as they happen, and a later stream resumes after the last one`(
    certificate: TestCertificate.Kind?
  ) throws {
    let (server, history) = try serve(certificate: certificate)
    func event(_ number: Int) -> HTTPEventStream.Step {
      .event(ServerSentEvent(id: "\(history.epoch)-\(number)", name: "count", data: "\(number)"))
    }
    var stream = try open(try server.origin, tls: server.tls)
    for number in 1...3 {
      history.append(name: "count", data: "\(number)")
      let step = try next(&stream)
      #expect(step == event(number))
    }
    let (retry, lastID) = (stream.retry, stream.lastID)
    #expect(retry == .seconds(1) && lastID == "\(history.epoch)-3")
    history.append(name: "count", data: "4")
    history.append(name: "count", data: "5")
    var second = try open(try server.origin, tls: server.tls, after: lastID)
    let steps = [try next(&second), try next(&second)]
    #expect(steps == [event(4), event(5)])
  }

  @Test func `a stream and another descriptor are waited for at once, without blocking in the stream`() throws
  {
    let (server, history) = try serve(certificate: .valid)
    var stream = try open(try server.origin, tls: server.tls)
    let inbox = try Wakeup()
    var seen: [String] = []
    let thread = try WorkerThread(name: "sender") {
      history.append(name: "count", data: String(repeating: "x", count: 100_000))
      history.append(name: "count", data: "2")
      inbox.signal()
    }
    while seen.count < 3, MonotonicTime.now < generousDeadline {
      var isDrained = false
      while !isDrained {
        switch try stream.next(until: .now) {
        case .event(let event): seen.append(String(event.data.prefix(2)))
        case .nothing: isDrained = true
        case .ended: throw TestFailure("ended")
        }
      }
      if inbox.clear() { seen.append("inbox") }
      if seen.count < 3 { _ = try inbox.poll([stream.descriptor], until: generousDeadline) }
    }
    thread.join()
    #expect(Set(seen) == ["xx", "2", "inbox"])
  }

  @Test func `a stream ends with its server`() throws {
    let (server, history) = try serve()
    var stream = try open(try server.origin)
    history.append(name: "count", data: "1")
    _ = try next(&stream)
    server.stop()
    let steps = [try next(&stream), try next(&stream)]
    #expect(steps == [.ended, .ended])
  }

  @Test func `a stream that is cut has ended`() throws {
    let server = try ScriptedServer([[.text(Self.head + "data: 1\n\ndata: 2\n")]])
    var stream = try open(try server.origin)
    let steps = [try next(&stream), try next(&stream)]
    #expect(steps == [.event(ServerSentEvent(id: nil, name: "message", data: "1")), .ended])
  }

  @Test func `a refusal comes with its error`() throws {
    let error = APIError(404, "noSuchSession", "there is no such session", hint: "a host creates it")
    let server = try HandlerServer(HTTPResponse(error))
    let opening = try HTTPEventStream.open(
      HTTPRequest("GET", "/events"), at: try server.origin, within: Self.timeout, stop: stop)
    switch consume opening {
    case .stream: Issue.record("not refused")
    case .refused(let response): #expect(response.error == error)
    }
  }

  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<ok>", .invalidResponse),
      ("HTTP/1.1 302 Found\r\nLocation: https://a/\r\nContent-Length: 0\r\n\r\n", .invalidResponse),
      ("nonsense\r\n", .invalidResponse), ("", .invalidResponse),
    ] as [(String, HTTPClientError.Kind)])
  func `what is no event stream is not read as one`(text: String, kind: HTTPClientError.Kind) throws {
    let server = try ScriptedServer([[.text(text)]])
    let error = #expect(throws: HTTPClientError.self) { _ = try open(try server.origin) }
    #expect(error?.kind == kind)
  }

  @Test func `a silent stream is dead after its time, and each sign of life moves that`() throws {
    let server = try ScriptedServer([[.text(Self.head + ":\n\n"), .silence]])
    var stream = try open(try server.origin, silence: .milliseconds(300))
    let before = stream.silentUntil
    let error = failure { () throws(HTTPClientError) in try stream.next(until: generousDeadline) }
    #expect(error?.kind == .timedOut)
    let after = stream.silentUntil
    #expect(after >= before && after <= .now)
  }

  @Test func `waiting for an event ends at its deadline, and at once when it is stopped`() throws {
    let (server, _) = try serve()
    var stream = try open(try server.origin)
    let step = try stream.next(until: .now + .milliseconds(50))
    #expect(step == .nothing)
    stop.signal()
    let error = failure { () throws(HTTPClientError) in try stream.next(until: generousDeadline) }
    #expect(error?.kind == .stopped)
  }
}
