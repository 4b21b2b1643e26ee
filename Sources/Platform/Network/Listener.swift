internal import Glibc
internal import HoldfastCPlatform
internal import HoldfastMediaModel

/// A TCP port that takes connections, without blocking.
package struct Listener: ~Copyable, Sendable {
  private let file: FileDescriptor
  /// The one asked for, or the one that the system chose.
  package let port: UInt16
  /// Where it listens: `127.0.0.1:1935`.
  package let local: String

  /// Listens on an address of this machine; port 0 is a free one. So many as `backlog` may wait to be accepted.
  package init(host: String, port: UInt16, backlog: Int32 = 128) throws(ConnectionError) {
    let name = SocketAddress.written(host: host, port: port)
    let address = try Self.address(host, port: port)
    let file: FileDescriptor
    do throws(SystemError) {
      file = try Self.open(address, backlog: backlog)
    } catch {
      throw Self.error(error, name)
    }
    let bound = TCPSocket.localAddress(file.raw) ?? address
    self.port = bound.port
    self.local = bound.description
    self.file = file
  }

  private static func open(_ address: SocketAddress, backlog: Int32) throws(SystemError) -> FileDescriptor {
    let raw = try check("socket") { socket(address.family, cp_SOCK_STREAM, cp_IPPROTO_TCP) }
    let file = FileDescriptor(owning: raw)
    TCPSocket.setOption(raw, SOL_SOCKET, SO_REUSEADDR, 1)
    try check("bind") { address.withPointer { bind(raw, $0, $1) } }
    try check("listen") { listen(raw, backlog) }
    return file
  }

  private static func address(_ host: String, port: UInt16) throws(ConnectionError) -> SocketAddress {
    if let address = SocketAddress(literal: host, port: port) { return address }
    guard let stop = try? Wakeup(),
      let address = try NameResolver.system.addresses(
        of: host, port: port, until: .now + .seconds(5), stop: stop
      ).first
    else { throw ConnectionError(.unresolved, "\(host): there is no such host") }
    return address
  }

  private static func error(_ error: SystemError, _ name: String) -> ConnectionError {
    switch error.code {
    case EADDRINUSE:
      ConnectionError(.system, "\(name): somebody else listens there already", hint: "choose another port")
    case EACCES, EPERM:
      ConnectionError(
        .system, "\(name): this user may not listen there", hint: "choose a port from 1024 upwards")
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      ConnectionError(
        .system, "\(name): \(ConnectionError.noAddress)", hint: "take 127.0.0.1, or 0.0.0.0 for all")
    default:
      ConnectionError(error, for: name)
    }
  }

  /// The next connection, if one waits.
  package mutating func accept() throws(ConnectionError) -> Connection? {
    while true {
      let raw = accept4(file.raw, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
      if raw >= 0 {
        TCPSocket.prepare(raw)
        return Connection(TCPSocket(owning: raw))
      }
      let error = SystemError.last("accept")
      switch error.code {
      case EAGAIN, EWOULDBLOCK: return nil
      // That one has gone again, or its network has: the next may be well.
      case EINTR, ECONNABORTED, EPROTO, ENETDOWN, EHOSTDOWN, ENONET, EHOSTUNREACH, ENETUNREACH, ENOPROTOOPT:
        continue
      default: throw ConnectionError(error, for: local)
      }
    }
  }

  /// Another hold on the socket, for a library that closes what it is given.
  package func duplicate() throws(SystemError) -> Int32 {
    try check("dup") { cp_duplicate(file.raw) }
  }

  /// Nobody gets there but from this machine.
  package var isLoopback: Bool { TCPSocket.localAddress(file.raw)?.isLoopback == true }

  /// The addresses of `host` in digits, for a listener each.
  package static func addresses(of host: String, port: UInt16) throws(ConnectionError) -> [String] {
    guard let stop = try? Wakeup() else { throw ConnectionError(.system, "\(host): too many open files") }
    let found = try NameResolver.system.addresses(of: host, port: port, until: .now + .seconds(5), stop: stop)
    guard !found.isEmpty else { throw ConnectionError(.unresolved, "\(host): there is no such host") }
    var names: [String] = []
    for address in found where !names.contains(address.host) { names.append(address.host) }
    return names
  }

  /// For `poll`: readable when a connection waits.
  package var descriptor: Int32 { file.raw }
}

extension ConnectionError {
  fileprivate static let noAddress = "this machine has no such address"
  /// There is no listening at an address because it is none of this machine's.
  package var isNoAddressOfOurs: Bool { what.hasSuffix(Self.noAddress) }
}
