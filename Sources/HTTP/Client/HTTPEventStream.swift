package import HoldfastMediaModel
package import HoldfastPlatform

/// A stream of server-sent events on a connection of its own. Owned by one thread.
package struct HTTPEventStream: ~Copyable, Sendable {
  package enum Step: Hashable, Sendable {
    case event(ServerSentEvent)
    case nothing
    /// By the server, or the connection was lost: connect again, after `lastID`.
    case ended
  }

  private let origin: HTTPOrigin
  private var connection: HTTPConnection
  private var reader = EventReader()
  private var events: ArraySlice<ServerSentEvent> = []
  private var hasEnded = false
  /// When something was last heard, if only a comment.
  private var heard = MonotonicTime.now
  private let silence: MediaTime

  /// A stream silent for this long is dead, as servers send comments.
  package static let maxSilence = MediaTime.seconds(40)

  /// What a request for events leads to.
  package enum Opening: ~Copyable, Sendable {
    case stream(HTTPEventStream)
    case refused(HTTPResponse)
  }

  /// Connects and waits for the head of the response; blocks for at most `timeout`. Once `stop` is signalled, this and
  /// all steps of the stream fail at once.
  package static func open(
    _ request: HTTPRequest, at origin: HTTPOrigin, tls: TLSSettings = TLSSettings(),
    within timeout: MediaTime, silence: MediaTime = maxSilence, stop: Wakeup
  ) throws(HTTPClientError) -> Opening {
    let deadline = MonotonicTime.now + timeout
    let bytes = try request.checkedBytes(for: origin)
    var stream = HTTPEventStream(
      origin: origin, connection: try HTTPConnection(to: origin, tls: tls, until: deadline, stop: stop),
      silence: silence)
    stream.connection.begin(bytes)
    while true {
      let hasMore = try stream.read()
      if stream.reader.isStream { return .stream(stream) }
      if let refusal = stream.reader.refusal, stream.reader.isOver || stream.hasEnded {
        if let problem = refusal.redirection(from: origin) { throw problem }
        return .refused(refusal)
      }
      if stream.hasEnded { throw .closed(origin, "without a response") }
      if MonotonicTime.now >= deadline { throw .timedOut(origin, "no response in time") }
      if !hasMore { try stream.connection.wait(until: deadline) }
    }
  }

  /// The next event; waits for it until `deadline`. With a deadline that has passed it does not block, and after
  /// `.nothing` the descriptor tells when to call it again.
  package mutating func next(until deadline: MonotonicTime) throws(HTTPClientError) -> Step {
    while true {
      if let event = events.popFirst() { return .event(event) }
      if hasEnded || reader.isOver { return .ended }
      if try read() { continue }
      let now = MonotonicTime.now
      guard now < silentUntil else {
        throw .timedOut(origin, "nothing was heard for \(silence.written)")
      }
      guard now < deadline else { return .nothing }
      try connection.wait(until: min(deadline, silentUntil))
    }
  }

  /// Reads what has come; false if that is nothing.
  private mutating func read() throws(HTTPClientError) -> Bool {
    if connection.isStopped { throw .stopped(origin) }
    var bytes: [UInt8] = []
    do throws(ConnectionError) {
      switch try connection.step(into: &bytes) {
      case .bytes: heard = .now
      case .nothingYet: return false
      case .ended: end()
      }
    } catch  where error.kind == .closed {
      end()
    } catch {
      throw HTTPClientError(error)
    }
    do throws(HTTPClientError) {
      events += try reader.receive(bytes)
    } catch {
      throw error.prefixed(origin)
    }
    return true
  }

  private mutating func end() {
    hasEnded = true
    reader.endInput()
  }

  /// Readable when `next` has something to read, once it has returned `.nothing`.
  package var descriptor: Int32 { connection.descriptor }

  /// When the stream counts as dead unless something is heard before: the latest time to call `next` again.
  package var silentUntil: MonotonicTime { heard + silence }

  /// The id to resume after; nil before the first.
  package var lastID: String? { reader.lastID }

  /// How long the server asks to wait before connecting again; nil if it does not.
  package var retry: MediaTime? { reader.retry }
}
