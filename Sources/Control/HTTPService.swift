internal import CMicroHTTPD
internal import Glibc
internal import MediaModel
internal import Platform

/// What libmicrohttpd calls: from the pieces of requests to responses. All of it runs on the server's thread.
final class HTTPService {
  typealias Connection = OpaquePointer

  private let handler: any ControlHandler
  private let limits: ControlLimits
  private let admits: @Sendable (PeerCredentials) -> Bool
  private(set) var connections: OpenConnections<Connection>

  init(
    limits: ControlLimits, admits: @escaping @Sendable (PeerCredentials) -> Bool, handler: any ControlHandler
  ) {
    self.limits = limits
    self.admits = admits
    self.handler = handler
    connections = OpenConnections(limits)
  }

  func connected(_ connection: Connection) {
    let descriptor = cmhd_descriptor(connection)
    let peer = try? PeerCredentials(ofPeerAt: descriptor)
    connections[connection] = .init(
      descriptor: descriptor, isAdmitted: peer.map(admits) ?? false, since: .now)
  }

  func disconnected(_ connection: Connection) {
    connections[connection] = nil
  }

  /// The head of a request has come. A response at once spares us the body.
  func began(_ connection: Connection) -> ControlResponse? {
    connections[connection]?.isBusy = true
    guard connections[connection]?.isAdmitted == true else { return .notAdmitted }
    let length = MHD_lookup_connection_value(connection, cmhd_HEADER, "Content-Length")
      .flatMap { Int(String(cString: $0)) }
    return (length ?? 0) > limits.bodySize ? .tooLong(limit: limits.bodySize) : nil
  }

  func continued(_ exchange: HTTPExchange, _ piece: UnsafeRawBufferPointer) {
    exchange.append(piece, limit: limits.bodySize)
  }

  func response(to exchange: HTTPExchange) -> ControlResponse {
    exchange.isTooLong ? .tooLong(limit: limits.bodySize) : handler.handle(exchange.request)
  }

  func finished(_ connection: Connection) {
    connections[connection]?.isBusy = false
    connections[connection]?.since = .now
  }
}

extension ControlResponse {
  fileprivate static let notAdmitted = refusal(
    403, ControlError(code: "forbidden", message: "this broadcast belongs to another user"))

  fileprivate static func tooLong(limit: Int) -> ControlResponse {
    refusal(
      413, ControlError(code: "tooLong", message: "the request's body is longer than \(limit) bytes"))
  }
}
