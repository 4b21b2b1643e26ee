import Glibc
import HoldfastCPlatform
package import HoldfastMediaModel

struct LookUpFailure: Error {
  let code: Int32
  /// errno, for EAI_SYSTEM.
  let systemCode: Int32
}

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: @unchecked Sendable, Equatable, CustomStringConvertible {  // a plain value
  private let storage: sockaddr_storage
  private let length: socklen_t

  init(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
    var storage = sockaddr_storage()
    let length = min(length, socklen_t(MemoryLayout<sockaddr_storage>.size))
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
    }
    self.storage = storage
    self.length = length
  }

  /// The address filled in by `call`, such as getsockname; nil when it fails.
  init?(filledBy call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
    }
    guard result == 0 else { return nil }
    self.storage = storage
    self.length = length
  }

  /// A numeric address, with or without brackets; nil for a host name.
  package init?(literal host: String, port: UInt16) {
    guard case .success(let found) = Self.lookUp(host, port: port, flags: AI_NUMERICHOST),
      let first = found.first
    else { return nil }
    self = first
  }

  /// Calls getaddrinfo, which may block indefinitely unless `flags` contain AI_NUMERICHOST.
  static func lookUp(
    _ host: String, port: UInt16, flags: Int32 = 0
  ) -> Result<[SocketAddress], LookUpFailure> {
    var hints = addrinfo()
    hints.ai_flags = flags | AI_NUMERICSERV
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(withoutBrackets(host), String(port), &hints, &list)
    guard code == 0 else { return .failure(LookUpFailure(code: code, systemCode: cp_errno())) }
    defer { freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let address = entry.ai_addr { found.append(SocketAddress(address, length: entry.ai_addrlen)) }
      next = entry.ai_next
    }
    return .success(found)
  }

  /// Resolves a host name; fails at `deadline`, or when `stop` is signalled.
  package static func all(
    of host: String, port: UInt16, until deadline: MonotonicTime, stop: Wakeup
  ) throws(ConnectionError) -> [SocketAddress] {
    try NameResolver.system.addresses(of: host, port: port, until: deadline, stop: stop)
  }

  static func withoutBrackets(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// Whether it is an address of one of this machine's interfaces, or of all of them.
  package var isOfThisMachine: Bool {
    guard let place = SocketAddress(literal: host, port: 0) else { return false }
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = FileDescriptor(owning: socket(family, kind, 0))
    return place.withPointer { bind(descriptor.raw, $0, $1) } == 0
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// Passes the address as the bytes of a `sockaddr`.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: storage) { body(UnsafeRawBufferPointer(rebasing: $0.prefix(Int(length)))) }
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  package var host: String { numeric.host }

  var port: UInt16 { UInt16(numeric.port) ?? 0 }

  private var numeric: (host: String, port: String) {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    let flags = NI_NUMERICHOST | NI_NUMERICSERV
    let result = withPointer { address, length in
      getnameinfo(address, length, &host, socklen_t(host.count), &port, socklen_t(port.count), flags)
    }
    return result == 0 ? (text(host), text(port)) : ("?", "?")
  }

  private func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// `127.0.0.1:1935`, `[::1]:1935`.
  package var description: String {
    let (host, port) = numeric
    return Self.written(host: host, port: port)
  }

  static func written(host: String, port: some CustomStringConvertible) -> String {
    let host = withoutBrackets(host)
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  package static func == (left: SocketAddress, right: SocketAddress) -> Bool {
    left.description == right.description
  }
}
