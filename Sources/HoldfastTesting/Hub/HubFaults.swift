import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform

/// What a fake hub was told to do wrong, and what it has been asked.
final class HubFaults: Sendable {
  private struct State: Sendable {
    var refusals: [FakeHub.Request: [APIError]] = [:]
    var delay = MediaTime.zero
    var counts: [FakeHub.Request: Int] = [:]
    /// Streams of an earlier generation have ended.
    var generation = 0
  }

  private let state = Locked(State())
  private let isCut: Wakeup

  init() throws(SystemError) { isCut = try Wakeup() }

  func refuse(_ request: FakeHub.Request, count: Int, _ error: APIError) {
    state.withLock { $0.refusals[request] = Array(repeating: error, count: count) }
  }

  func delay(by delay: MediaTime) { state.withLock { $0.delay = delay } }

  func count(_ request: FakeHub.Request) -> Int { state.withLock { $0.counts[request] ?? 0 } }

  /// Ends streams and waits.
  func cut() {
    state.withLock { $0.generation += 1 }
    isCut.signal()
  }

  func uncut() { isCut.clear() }

  var generation: Int { state.withLock { $0.generation } }

  /// Counts a request; the refusal that is due, and the delay.
  func take(_ request: FakeHub.Request) -> (refusal: APIError?, delay: MediaTime) {
    state.withLock { state in
      state.counts[request, default: 0] += 1
      var refusals = state.refusals[request] ?? []
      let refusal = refusals.popLast()
      state.refusals[request] = refusals
      return (refusal, state.delay)
    }
  }

  /// Returns early if the hub is stopped meanwhile.
  func wait(_ delay: MediaTime) { isCut.wait(until: .now + delay) }
}

/// Answers as a hub does, or as it was told to.
struct FaultyHandler: HTTPHandler {
  let inner: any HTTPHandler
  let faults: HubFaults

  func refusedAsTooBusy(_ request: HTTPRequest) { inner.refusedAsTooBusy(request) }

  func handle(_ request: HTTPRequest) -> Reply {
    guard let kind = FakeHub.Request(request) else { return inner.handle(request) }
    let (refusal, delay) = faults.take(kind)
    let generation = faults.generation
    let reply = refusal.map { .immediate(HTTPResponse($0)) } ?? inner.handle(request)
    return .deferred(kind == .command ? .commands : .others) { [faults] in
      if delay > .zero { faults.wait(delay) }
      let response =
        switch reply {
        case .immediate(let response): response
        case .deferred(_, let answer): answer()
        }
      guard case .stream(let stream) = response.body else { return response }
      return HTTPResponse(
        contentType: response.contentType,
        stream: CutStream(stream: stream) { faults.generation != generation })
    }
  }
}

/// A stream that ends when its hub is cut off.
private struct CutStream: ResponseStream {
  var stream: any ResponseStream
  let isCut: @Sendable () -> Bool

  /// How soon the end is noticed.
  private static let interval = MediaTime.milliseconds(20)

  mutating func next(at now: MonotonicTime) -> StreamStep {
    if isCut() { return .over }
    let step = stream.next(at: now)
    guard case .nothing(let until) = step else { return step }
    return .nothing(until: min(until, now + Self.interval))
  }

  func notice(of end: APIError) -> [UInt8] { stream.notice(of: end) }
}

extension FakeHub.Request {
  /// Nil for what is not about one session.
  fileprivate init?(_ request: HTTPRequest) {
    let segments = request.path.split(separator: "/")
    guard segments.count >= 3, segments[0] == "v1", segments[1] == "sessions" else { return nil }
    let named = segments.count == 3 ? "state" : String(segments[3])
    self.init(rawValue: named)
  }
}
