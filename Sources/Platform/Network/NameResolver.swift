import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

/// Resolves host names with a deadline, which getaddrinfo lacks; each lookup blocks a detached thread.
final class NameResolver: Sendable {
  typealias LookUp = @Sendable (_ host: String, _ port: UInt16) -> Result<[SocketAddress], LookUpFailure>

  /// The shared resolver; its limit keeps retries without a name server from piling up threads.
  static let system = NameResolver(limit: 16) { host, port in
    cp_resolve_impatiently()
    return SocketAddress.lookUp(host, port: port)
  }

  private let limit: Int
  private let lookUp: LookUp
  private let running = Locked(0)

  init(limit: Int, lookUp: @escaping LookUp) {
    self.limit = limit
    self.lookUp = lookUp
  }

  func addresses(
    of host: String, port: UInt16, until deadline: MonotonicTime, stop: Wakeup
  ) throws(ConnectionError) -> [SocketAddress] {
    if let address = SocketAddress(literal: host, port: port) { return [address] }
    guard !host.isEmpty, host.utf8.count <= 253, !host.utf8.contains(0) else {
      throw ConnectionError(.unresolved, "\"\(host)\" is not a host name")
    }
    let lookup = try startLookup(host, port: port)
    switch try forPeer(host, stop.poll([lookup.isDone.descriptor], until: deadline)) {
    case .signalled: throw .stopped(host)
    case .timedOut:
      throw ConnectionError(
        .unresolved, "\(host): the name lookup was not answered in time", hint: Self.checkServers)
    case .ready: break
    }
    switch lookup.result.withLock({ $0 }) {
    case .success(let addresses): return Self.alternating(addresses)
    case .failure(let failure): throw Self.error(failure, of: host)
    }
  }

  private final class Lookup: Sendable {
    let isDone: Wakeup
    let result: Locked<Result<[SocketAddress], LookUpFailure>> = .init(.success([]))

    init() throws(SystemError) { isDone = try Wakeup() }
  }

  private func startLookup(_ host: String, port: UInt16) throws(ConnectionError) -> Lookup {
    let isAllowed = running.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
    guard isAllowed else {
      throw ConnectionError(
        .unresolved, "\(host): \(limit) name lookups are already waiting for an answer",
        hint: Self.checkServers)
    }
    do throws(SystemError) {
      let lookup = try Lookup()
      let thread = try WorkerThread(name: "resolve") { [self] in
        let answer = lookUp(host, port)
        running.withLock { $0 -= 1 }
        lookup.result.withLock { $0 = answer }
        lookup.isDone.signal()
      }
      thread.abandon()
      return lookup
    } catch {
      running.withLock { $0 -= 1 }
      throw ConnectionError(error, for: host)
    }
  }

  /// The first address, then alternating families, so that a family without a route costs one attempt.
  static func alternating(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let same = addresses.filter { $0.family == first.family }
    let other = addresses.filter { $0.family != first.family }
    return (0..<max(same.count, other.count)).flatMap {
      same.dropFirst($0).prefix(1) + other.dropFirst($0).prefix(1)
    }
  }

  private static let checkServers = "check the network and the name servers in /etc/resolv.conf"

  private static func error(_ failure: LookUpFailure, of host: String) -> ConnectionError {
    switch failure.code {
    case EAI_NONAME, cp_EAI_NODATA:
      ConnectionError(.unresolved, "\(host): there is no such host", hint: "check the spelling")
    case EAI_AGAIN:
      ConnectionError(.unresolved, "\(host): the name servers do not answer", hint: checkServers)
    case EAI_SYSTEM:
      ConnectionError(
        .unresolved, "\(host): \(SystemError(operation: "getaddrinfo", code: failure.systemCode))")
    default:
      ConnectionError(.unresolved, "\(host): \(String(cString: gai_strerror(failure.code)).lowercasedFirst)")
    }
  }
}
