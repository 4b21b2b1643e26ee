import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession

/// The hub of one session, for requests that may be repeated.
struct SessionHub: ~Copyable {
  private let address: HTTPAddress
  private let token: String?
  private var client: HTTPClient
  private let stop: Wakeup

  static let timeout = MediaTime.seconds(10)
  private static let maxTries = 3
  private static let longestWait = MediaTime.seconds(5)

  init(_ command: SessionCommand) throws(Refusal) {
    address = command.address
    token = command.token?.text
    do throws(SystemError) { stop = try Wakeup() } catch { throw .system("session", "\(error)") }
    client = HTTPClient(command.address.origin, tls: command.tls, stop: stop)
  }

  mutating func state() throws(Refusal) -> JSONValue {
    try send(HTTPRequest("GET", address.path))
  }

  mutating func perform(_ command: Session.CommandRequest) throws(Refusal) -> JSONValue {
    try send(HTTPRequest("POST", address.path + "/commands", body: command.json))
  }

  /// Commands have an id, so that all requests may be repeated.
  private mutating func send(_ request: HTTPRequest) throws(Refusal) -> JSONValue {
    var request = request
    request.bearer = token
    var tries = 1
    while true {
      let (problem, wait): (Refusal, MediaTime?)
      switch outcome(of: request) {
      case .success(let response) where response.isSuccess:
        guard let json = response.json else { throw .noHub(address) }
        return json
      case .success(let response):
        problem = Refusal(response, from: address)
        wait = response.status == 503 ? min(response.retryAfter ?? .seconds(1), Self.longestWait) : nil
      case .failure(let error):
        problem = Refusal(error, from: address)
        wait = error.mayPass ? .milliseconds(500) : nil
      }
      guard let wait, tries < Self.maxTries else { throw problem }
      tries += 1
      stop.wait(until: .now + wait)
    }
  }

  private mutating func outcome(of request: HTTPRequest) -> Result<HTTPResponse, HTTPClientError> {
    do throws(HTTPClientError) {
      return .success(try client.send(request, isRepeatable: true, within: Self.timeout))
    } catch {
      return .failure(error)
    }
  }
}

extension HTTPAddress {
  /// The session's part of the hub's API.
  var path: String { "/v1/sessions/\(segment)" }
}

extension HTTPClientError {
  /// The request may have been done although no response came.
  fileprivate var mayPass: Bool {
    switch kind {
    case .timedOut, .invalidResponse: true
    case .cannotConnect, .notPermitted, .tls, .invalidRequest, .stopped, .system: false
    }
  }
}

extension Refusal {
  /// A hub has refused the request.
  init(_ response: HTTPResponse, from address: HTTPAddress) {
    guard let error = response.error else {
      self = .noHub(address)
      return
    }
    let status: ExitStatus =
      switch response.status {
      case 404 where error.code == "noSuchMember", 400, 422: .usage
      case 401, 403, 409, 410: .refused
      default: .gaveUp
      }
    self.init(status, address.shown, error.message.printable, error.hint?.printable)
  }

  init(_ error: HTTPClientError, from address: HTTPAddress) {
    let status: ExitStatus =
      switch error.kind {
      case .cannotConnect, .timedOut, .invalidResponse, .stopped: .gaveUp
      case .tls, .notPermitted: .refused
      case .invalidRequest: .usage
      case .system: .system
      }
    let hint = error.hint.map { error.kind == .tls ? "\($0) (--tls-ca, --tls-insecure)" : $0 }
    self.init(
      status, address.shown, error.what.printable, hint ?? "check the address, and that the hub is running")
  }

  fileprivate static func noHub(_ address: HTTPAddress) -> Refusal {
    Refusal(
      .gaveUp, address.shown, "the answer is not that of a hub", "check the host and the port of the address")
  }
}

extension HTTPAddress {
  /// The session and its hub, for people.
  fileprivate var shown: String { "session \(HoldfastCommands.shown(name.printable)) at \(origin)" }
}
