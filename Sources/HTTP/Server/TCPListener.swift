import HoldfastCMicroHTTPD
package import HoldfastMediaModel
package import HoldfastPlatform

/// A TCP port of a server. It listens from its creation, and is served once a server has it.
package final class TCPListener: Sendable {
  package let addresses: [String]
  package let port: UInt16
  package let isLoopback: Bool
  package let speaksTLS: Bool
  let sendsHSTS: Bool
  package let host: String
  private let publicOrigin: String?
  /// The name in `publicOrigin`.
  package let publicHost: String?
  private let certificate: Locked<Certificate>
  private let ports: Locked<[ListeningPort]>

  /// `sendsHSTS` tells browsers to use TLS only, for a year. `publicOrigin` is what browsers see of a proxy before it,
  /// such as `https://hub.example`.
  package init(
    _ address: HostAndPort, identity: TLSIdentity? = nil, sendsHSTS: Bool = false,
    publicOrigin: String? = nil
  ) throws(InvalidValue) {
    guard identity == nil || cmhd_speaks_tls() != 0 else {
      throw InvalidValue(
        "libmicrohttpd on this machine does not support TLS", hint: "install a build with GnuTLS")
    }
    let ports = try Self.listen(address)
    speaksTLS = identity != nil
    self.sendsHSTS = sendsHSTS && identity != nil
    certificate = Locked(Certificate(identity: identity))
    host = address.host
    self.publicOrigin = publicOrigin?.lowercased()
    publicHost = publicOrigin.flatMap { origin in
      origin.firstRange(of: "://").flatMap { RequestRules.hostName(String(origin[$0.upperBound...])) }
    }
    port = ports[0].listener.port
    addresses = ports.map { $0.listener.local }
    isLoopback = ports.allSatisfy { $0.listener.isLoopback }
    self.ports = Locked(ports)
  }

  private static func listen(_ address: HostAndPort) throws(InvalidValue) -> [ListeningPort] {
    do throws(ConnectionError) {
      var ports: [ListeningPort] = []
      for place in try Listener.addresses(of: address.host, port: address.port) {
        // All addresses share the first one's port.
        let port = ports.first?.listener.port ?? address.port
        do throws(ConnectionError) {
          ports.append(ListeningPort(try Listener(host: place, port: port, backlog: 512)))
        } catch {
          // A name may have an address of a family that this machine lacks.
          guard !ports.isEmpty, error.isNoAddressOfOurs else { throw error }
        }
      }
      return ports
    } catch {
      throw InvalidValue(error.what, hint: error.hint)
    }
  }

  private struct Certificate: Sendable {
    var identity: TLSIdentity?
    /// Set by the server.
    var serve: (@Sendable (TLSIdentity) throws(SystemError) -> Void)?
  }

  var identity: TLSIdentity? { certificate.withLock { $0.identity } }

  /// Serves new connections with another certificate; false if it is the same.
  package func renew(_ identity: TLSIdentity) throws(SystemError) -> Bool {
    let before = certificate.withLock { $0 }
    guard identity != before.identity else { return false }
    try before.serve?(identity)
    certificate.withLock { $0.identity = identity }
    return true
  }

  /// `serve` starts to serve another certificate.
  func onRenewal(_ serve: @escaping @Sendable (TLSIdentity) throws(SystemError) -> Void) {
    certificate.withLock { $0.serve = serve }
  }

  var scheme: String { speaksTLS ? "https" : "http" }

  package var url: String { "\(scheme)://\(addresses[0])/" }

  var rules: RequestRules {
    let names = [host, publicHost].compactMap { $0?.lowercased() }
    return RequestRules(hosts: Set(names), scheme: scheme, publicOrigin: publicOrigin)
  }

  /// Duplicates of the listening sockets, owned by the caller.
  func duplicates() throws(SystemError) -> [Int32] {
    try ports.withLock { $0 }.map { (port) throws(SystemError) in try port.listener.duplicate() }
  }

  func close() {
    certificate.withLock { $0.serve = nil }
    ports.withLock { $0 = [] }
  }

  private final class ListeningPort: Sendable {
    let listener: Listener

    init(_ listener: consuming Listener) { self.listener = listener }
  }
}
