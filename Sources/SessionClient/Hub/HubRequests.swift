package import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMembership
package import HoldfastPlatform
import HoldfastSession

/// Why there is no token to send, for people.
package struct TokenUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ reason: String) { description = reason }
}

/// Reads the token of a member or a worker; nil where it needs none.
package typealias TokenSource = @Sendable () throws(TokenUnavailable) -> String?

/// Sends a member's requests to its hub, one after another, on a thread of its own, and posts what becomes of them.
package final class HubRequests: Sendable {
  /// Where the session is, and what opens it.
  package struct Place: Sendable {
    let address: HTTPAddress
    let tls: TLSSettings
    /// Read anew for each join, as it may be replaced.
    let token: TokenSource
    /// Read anew when the session asks for it.
    let password: @Sendable () -> String?

    package init(
      _ address: HTTPAddress, tls: TLSSettings, password: @escaping @Sendable () -> String? = { nil },
      token: @escaping TokenSource
    ) {
      self.address = address
      self.tls = tls
      self.password = password
      self.token = token
    }
  }

  private enum Job: Sendable {
    case request(
      Int, HTTPRequest, within: MediaTime, read: @Sendable (JSONValue) -> MembershipMachine.Event?)
    case reconnect
  }

  private let place: Place
  private let jobs = BoundedQueue<Job>(capacity: 64)
  private let stopSignal: Wakeup
  private let thread = ThreadSlot()
  private let post: @Sendable (MembershipMachine.Event) -> Void
  private let token = Locked<String?>(nil)

  init(_ place: Place, post: @escaping @Sendable (MembershipMachine.Event) -> Void) throws(SystemError) {
    self.place = place
    self.post = post
    stopSignal = try Wakeup()
    try thread.start(name: "session-requests") { [self] in run() }
  }

  /// Ends a request that is under way, without an outcome.
  func stop() {
    jobs.close()
    stopSignal.signal()
    thread.join()
  }

  func send(_ number: Int, _ request: MembershipMachine.Request, within limit: MediaTime) {
    switch request {
    case .join(let join):
      do throws(TokenUnavailable) {
        let text = try place.token()
        token.withLock { $0 = text }
      } catch {
        return post(.failed(number, .unreachable("\(error)")))
      }
      send(number, "join", nil, join.json, within: limit) { json in
        Session.JoinAnswer(json).map { .joined(number, $0) }
      }
    case .beat(let lease, let beat):
      send(number, "beat", lease, beat.json, within: limit) { json in
        Session.BeatAnswer(json).map { .beaten(number, $0) }
      }
    case .command(let lease, let command):
      send(number, "commands", lease, command.json, within: limit) { _ in .commanded(number) }
    case .leave(let lease): send(number, "leave", lease, [:], within: limit) { _ in .left(number) }
    }
  }

  /// The request for the session's events.
  func events(lease: String, after event: String) -> HTTPRequest {
    var request = self.request("GET", "events", lease: lease)
    request.lastEventID = event
    return request
  }

  /// A request of other threads, for their own clients.
  func request(_ method: String, _ last: String, lease: String?, _ body: JSONValue? = nil) -> HTTPRequest {
    var request = HTTPRequest(method, path(last), body: body)
    (request.bearer, request.lease) = (token.withLock { $0 }, lease)
    return request
  }

  func reconnect() { _ = jobs.offer(.reconnect) }

  /// An empty `last` is the session's own path.
  private func path(_ last: String) -> String {
    "/v1/sessions/\(place.address.segment)" + (last.isEmpty ? "" : "/\(last)")
  }

  private func send(
    _ number: Int, _ last: String, _ lease: String?, _ body: JSONValue, within limit: MediaTime,
    read: @escaping @Sendable (JSONValue) -> MembershipMachine.Event?
  ) {
    let request = self.request("POST", last, lease: lease, body)
    guard jobs.offer(.request(number, request, within: limit, read: read)) else {
      return post(.failed(number, .unreachable("too many requests wait")))
    }
  }

  private func run() {
    var client = HubClient(place.address.origin, tls: place.tls, stop: stopSignal)
    while let job = jobs.take() {
      switch job {
      case .reconnect: client.close()
      case .request(let number, let request, let limit, let read):
        do throws(HubFailure) {
          let answer = try client.send(request, within: limit)
          post(read(answer) ?? .failed(number, .unreachable("its answer is not a hub's")))
        } catch {
          post(.failed(number, error))
        }
      }
    }
  }
}
