import Glibc
package import HoldfastMediaModel
import HoldfastPlatform

/// The service manager's end of `$NOTIFY_SOCKET`.
package final class NotifySocket: Sendable {
  package enum Kind: CaseIterable, Sendable {
    case path, abstract
  }

  private let folder: ScratchFolder
  private let descriptor: FileDescriptor
  /// The value of `$NOTIFY_SOCKET`.
  package let name: String

  package init(_ kind: Kind = .path) throws {
    folder = try ScratchFolder()
    var bytes = Array(folder.file("notify").utf8)
    switch kind {
    case .path:
      name = folder.file("notify")
      bytes.append(0)
    case .abstract:
      name = "@" + folder.file("notify")
      bytes.insert(0, at: 0)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let raw = try check("socket") { socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
    descriptor = FileDescriptor(owning: raw)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(raw, $0, length) }
    }
    try check("bind") { bound }
  }

  package var environment: [String: String] { ["NOTIFY_SOCKET": name] }

  /// Reads until a message contains `line`; nil on timeout.
  package func message(with line: String) throws -> [String]? {
    while let lines = try next() {
      if lines.contains(line) { return lines }
    }
    return nil
  }

  package func hears(_ line: String) throws -> Bool {
    try message(with: line) != nil
  }

  /// The lines of the next message; nil at `deadline`, by default after a minute.
  package func next(until deadline: MonotonicTime? = nil) throws -> [String]? {
    guard try Wakeup().poll([descriptor.raw], until: deadline ?? .now + .seconds(60)) == .ready else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try check("recv") { recv(descriptor.raw, &bytes, bytes.count, 0) }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
