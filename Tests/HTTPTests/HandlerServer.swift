import HoldfastMediaModel
import HoldfastPlatform
import TestSupport

@testable import HoldfastHTTP

/// The server of this module on a free port of the loopback, with a handler of the test's.
final class HandlerServer: Sendable {
  private struct Handler: HTTPHandler {
    let received = Locked<[HTTPRequest]>([])
    let answer: @Sendable (HTTPRequest) -> Reply

    func handle(_ request: HTTPRequest) -> Reply {
      received.withLock { $0.append(request) }
      return answer(request)
    }
  }

  private let server: HTTPServer
  private let handler: Handler
  let listener: TCPListener
  let wakeup: Wakeup
  /// Of the certificate.
  let authority: String?
  private let scratch: ScratchFolder

  init(
    certificate: TestCertificate.Kind? = nil, limits: HTTPLimits = .tcp,
    answer: @escaping @Sendable (HTTPRequest) -> Reply
  ) throws {
    let scratch = ScratchFolder()
    let pair = try certificate.map { try TestCertificate(in: scratch, $0) }
    authority = pair?.authority
    self.scratch = scratch
    let identity = try pair.map { try TLSIdentity(certificateFile: $0.certificate, keyFile: $0.key) }
    listener = try TCPListener(HostAndPort("127.0.0.1:0"), identity: identity)
    handler = Handler(answer: answer)
    wakeup = try Wakeup()
    server = try HTTPServer(
      nil, listeners: [listener], wakeup: wakeup, tcpLimits: limits, handler: handler)
  }

  convenience init(certificate: TestCertificate.Kind? = nil, _ response: HTTPResponse) throws {
    try self.init(certificate: certificate) { _ in .immediate(response) }
  }

  var origin: HTTPOrigin {
    get throws { try HTTPOrigin("\(listener.scheme)://localhost:\(listener.port)") }
  }

  var tls: TLSSettings { TLSSettings(caFile: authority) }

  var received: [HTTPRequest] { handler.received.withLock { $0 } }

  func stop() { server.stop() }
}
