import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform

/// Requests to a hub that may be repeated.
struct HubConnection: ~Copyable {
  private let token: String?
  /// Whom it asks, for people.
  private let subject: String
  private var client: HTTPClient
  private let stop: Wakeup

  static let timeout = MediaTime.seconds(10)
  private static let maxTries = 3
  private static let longestWait = MediaTime.seconds(5)

  init(_ origin: HTTPOrigin, token: String?, tls: TLSSettings, subject: String) throws(Refusal) {
    self.token = token
    self.subject = subject
    do throws(SystemError) { stop = try Wakeup() } catch { throw .system(subject, error) }
    client = HTTPClient(origin, tls: tls, stop: stop)
  }

  mutating func send(_ request: HTTPRequest) throws(Refusal) -> JSONValue {
    var request = request
    request.bearer = token
    var tries = 1
    while true {
      let (problem, wait): (Refusal, MediaTime?)
      let outcome = Result { () throws(HTTPClientError) in
        try client.send(request, isRepeatable: true, within: Self.timeout)
      }
      switch outcome {
      case .success(let response) where response.isSuccess:
        guard let json = response.json else { throw .noHub(subject) }
        return json
      case .success(let response):
        problem = Refusal(response, fromHub: subject)
        wait = response.status == 503 ? min(response.retryAfter ?? .seconds(1), Self.longestWait) : nil
      case .failure(let error):
        problem = Refusal(error, fromHub: subject)
        wait = error.mayPass ? .milliseconds(500) : nil
      }
      guard let wait, tries < Self.maxTries else { throw problem }
      tries += 1
      stop.wait(until: .now + wait)
    }
  }
}

extension HTTPClientError {
  /// The request may have been done although no response came.
  fileprivate var mayPass: Bool {
    switch kind {
    case .cannotConnect, .timedOut, .invalidResponse: true
    case .notPermitted, .tls, .invalidRequest, .stopped, .system: false
    }
  }
}

extension Refusal {
  /// A hub has refused the request.
  init(_ response: HTTPResponse, fromHub subject: String) {
    guard let error = response.error else {
      self = .noHub(subject)
      return
    }
    let status: ExitStatus =
      switch response.status {
      case 422 where error.code == "memberNeeded": .refused
      case 404 where ["noSuchMember", "noSuchToken"].contains(error.code), 400, 422: .usage
      case 401, 403, 409, 410: .refused
      default: .gaveUp
      }
    self.init(status, subject, error.message.printable, error.hint?.printable)
  }

  init(_ error: HTTPClientError, fromHub subject: String) {
    let status: ExitStatus =
      switch error.kind {
      case .cannotConnect, .timedOut, .invalidResponse, .stopped: .gaveUp
      case .tls, .notPermitted: .refused
      case .invalidRequest: .usage
      case .system: .system
      }
    let hint = error.hint.map { error.kind == .tls ? "\($0) (--tls-ca, --tls-insecure)" : $0 }
    self.init(status, subject, error.what.printable, hint ?? "check the address, and that the hub is running")
  }

  fileprivate static func noHub(_ subject: String) -> Refusal {
    Refusal(.gaveUp, subject, "the answer is not that of a hub", "check the host and the port of the address")
  }
}
