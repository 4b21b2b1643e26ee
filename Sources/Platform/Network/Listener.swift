import Glibc
import HoldfastCPlatform
import HoldfastMediaModel

/// A listening TCP socket; `accept` never blocks.
package struct Listener: ~Copyable, Sendable {
  private let file: FileDescriptor
  package let port: UInt16
  /// The bound address, such as `127.0.0.1:1935`.
  package let local: String

  /// Listens on a local address; port 0 selects a free port.
  package init(host: String, port: UInt16, backlog: Int32 = 128) throws(ConnectionError) {
    let name = SocketAddress.written(host: host, port: port)
    let address = try Self.address(host, port: port)
    let file = try mapError(Self.open(address, backlog: backlog)) { (error: SystemError) in
      Self.error(error, name)
    }
    let bound = SocketAddress(of: file.raw) ?? address
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
    try lookUp(host, port: port)[0]
  }

  /// The addresses of `host`, at least one.
  private static func lookUp(_ host: String, port: UInt16) throws(ConnectionError) -> [SocketAddress] {
    let stop = try forPeer(host, Wakeup())
    let found = try NameResolver.system.addresses(of: host, port: port, until: .now + .seconds(5), stop: stop)
    guard !found.isEmpty else { throw ConnectionError(.unresolved, "\(host): there is no such host") }
    return found
  }

  private static func error(_ error: SystemError, _ name: String) -> ConnectionError {
    switch error.code {
    case EADDRINUSE:
      ConnectionError(.system, "\(name): \(ConnectionError.addressInUse)", hint: "choose another port")
    case EACCES, EPERM:
      ConnectionError(
        .system, "\(name): this user may not listen on this port", hint: "choose port 1024 or above")
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      ConnectionError(
        .system, "\(name): \(ConnectionError.noAddress)", hint: "use 127.0.0.1, or 0.0.0.0 for all")
    default: ConnectionError(error, for: name)
    }
  }

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
      // This connection has already failed; the next one may be fine.
      case EINTR, ECONNABORTED, EPROTO, ENETDOWN, EHOSTDOWN, ENONET, EHOSTUNREACH, ENETUNREACH, ENOPROTOOPT:
        continue
      default: throw ConnectionError(error, for: local)
      }
    }
  }

  /// A duplicate descriptor, for a library that closes the one it receives.
  package func duplicate() throws(SystemError) -> Int32 { try check("dup") { cp_duplicate(file.raw) } }

  package var isLoopback: Bool { SocketAddress(of: file.raw)?.isLoopback == true }

  package static func addresses(of host: String, port: UInt16) throws(ConnectionError) -> [String] {
    var names: [String] = []
    for address in try lookUp(host, port: port) where !names.contains(address.host) {
      names.append(address.host)
    }
    return names
  }

  /// Readable when a connection is pending.
  package var descriptor: Int32 { file.raw }
}

extension ConnectionError {
  fileprivate static let noAddress = "this machine has no such address"
  fileprivate static let addressInUse = "the address is already in use"
  /// Whether listening failed because the machine does not have the address.
  package var isNoAddressOfOurs: Bool { what.hasSuffix(Self.noAddress) }
  /// Whether listening failed because something else listens there.
  package var isAddressInUse: Bool { what.hasSuffix(Self.addressInUse) }
}
