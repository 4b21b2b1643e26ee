package import HoldfastMediaModel
package import HoldfastPlatform

/// A client of one server, which keeps its connection for the next request. Owned by one thread.
package struct HTTPClient: ~Copyable, Sendable {
  package let origin: HTTPOrigin
  private let tls: TLSSettings
  private let stop: Wakeup
  private var kept: HTTPConnection?

  /// Once `stop` is signalled, a request that is under way and all later ones fail at once.
  package init(_ origin: HTTPOrigin, tls: TLSSettings = TLSSettings(), stop: Wakeup) {
    self.origin = origin
    self.tls = tls
    self.stop = stop
  }

  private struct ExchangeError: Error {
    let reason: HTTPClientError
    /// The kept connection turned out to be closed, before anything of a response had come.
    var isUnanswered = false
  }

  /// Sends a request and waits for its response; blocks for at most `timeout`. On a kept connection that the server
  /// has closed, the request is sent once more if it may be: GET, and what the caller declares repeatable.
  package mutating func send(
    _ request: HTTPRequest, isRepeatable: Bool = false, within timeout: MediaTime
  ) throws(HTTPClientError) -> HTTPResponse {
    let deadline = MonotonicTime.now + timeout
    let bytes = try request.checkedBytes(for: origin)
    if stop.isSignalled { throw .stopped(origin) }
    if var connection = kept.take(), connection.isIdle() {
      do throws(ExchangeError) {
        return try exchange(bytes, over: connection, until: deadline)
      } catch {
        guard error.isUnanswered, isRepeatable || request.method == "GET" else { throw error.reason }
      }
    }
    let connection = try HTTPConnection(to: origin, tls: tls, until: deadline, stop: stop)
    do throws(ExchangeError) {
      return try exchange(bytes, over: connection, until: deadline)
    } catch {
      throw error.reason
    }
  }

  /// Ends the kept connection.
  package mutating func close() { kept = nil }

  private mutating func exchange(
    _ request: [UInt8], over connection: consuming HTTPConnection, until deadline: MonotonicTime
  ) throws(ExchangeError) -> HTTPResponse {
    connection.begin(request)
    var reader = ResponseReader()
    while true {
      switch try step(&connection, &reader, until: deadline) {
      case .response(let response):
        if connection.hasSent, reader.keepsConnection { kept = consume connection }
        if let problem = response.redirection(from: origin) { throw ExchangeError(reason: problem) }
        return response
      case .nothing:
        try mapError(connection.wait(until: deadline)) { (error: HTTPClientError) in
          ExchangeError(reason: error)
        }
      case .more: break
      }
    }
  }

  private enum Step {
    case response(HTTPResponse)
    case more, nothing
  }

  private func step(
    _ connection: inout HTTPConnection, _ reader: inout ResponseReader, until deadline: MonotonicTime
  ) throws(ExchangeError) -> Step {
    if connection.isStopped { throw ExchangeError(reason: .stopped(origin)) }
    var received: [UInt8] = []
    let result: Connection.ReadResult
    do throws(ConnectionError) {
      result = try connection.step(into: &received)
    } catch {
      throw ExchangeError(
        reason: HTTPClientError(error), isUnanswered: error.kind == .closed && !reader.hasBegun)
    }
    do throws(HTTPClientError) {
      if case .bytes = result, let response = try reader.receive(received) { return .response(response) }
    } catch {
      throw ExchangeError(reason: error.prefixed(origin))
    }
    if case .ended = result {
      let when = reader.hasBegun ? "in the middle of the response" : "without a response"
      throw ExchangeError(reason: .closed(origin, when), isUnanswered: !reader.hasBegun)
    }
    if MonotonicTime.now >= deadline {
      throw ExchangeError(reason: .timedOut(origin, "no response in time"))
    }
    return result == .nothingYet ? .nothing : .more
  }
}

extension HTTPResponse {
  /// A redirection is not followed: it could lead a token to somebody else.
  func redirection(from origin: HTTPOrigin) -> HTTPClientError? {
    guard [301, 302, 303, 307, 308].contains(status), let location = header("location") else { return nil }
    let place = Self.origin(of: location, from: origin)
    return HTTPClientError(
      .invalidResponse,
      place == origin.description
        ? "\(origin): the server redirects to another path" : "\(origin): the server redirects to \(place)",
      hint: "use the address of the server itself, if you trust it")
  }

  private static func origin(of location: String, from origin: HTTPOrigin) -> String {
    guard let scheme = location.firstRange(of: "://") else { return origin.description }
    let end = location[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? location.endIndex
    let target = try? HTTPOrigin(String(location[..<end]), insecureLAN: true)
    return target.map { $0.description.printable } ?? "an address of another kind"
  }
}
