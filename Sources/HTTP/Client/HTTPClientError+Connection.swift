import HoldfastMediaModel
import HoldfastPlatform

extension HTTPClientError {
  init(connecting error: ConnectionError) {
    let kind: Kind =
      switch error.kind {
      case .unresolved, .unreachable, .closed: .cannotConnect
      case .timedOut: .timedOut
      case .certificate, .tls: .tls
      case .stopped: .stopped
      case .system: .system
      }
    self.init(kind, error.what, hint: error.hint)
  }

  /// An established connection failed.
  init(_ error: ConnectionError) {
    let kind: Kind =
      switch error.kind {
      case .closed: .invalidResponse
      case .unresolved, .unreachable: .cannotConnect
      case .timedOut: .timedOut
      case .certificate, .tls: .tls
      case .stopped: .stopped
      case .system: .system
      }
    self.init(kind, error.what, hint: error.hint)
  }

  static func stopped(_ origin: HTTPOrigin) -> HTTPClientError {
    HTTPClientError(.stopped, "\(origin): the request was cancelled")
  }

  static func timedOut(_ origin: HTTPOrigin, _ what: String) -> HTTPClientError {
    HTTPClientError(.timedOut, "\(origin): \(what)", hint: "try again, or check the server and the network")
  }

  static func closed(_ origin: HTTPOrigin, _ when: String) -> HTTPClientError {
    HTTPClientError(
      .invalidResponse, "\(origin): the connection ended \(when)", hint: "try again, or check the server")
  }

  func prefixed(_ origin: HTTPOrigin) -> HTTPClientError {
    HTTPClientError(
      kind, "\(origin): \(what)", hint: hint ?? "check that the address is that of a holdfast server")
  }
}
