import Glibc
package import HoldfastMediaModel
import HoldfastPlatform

/// The service manager's end of `$NOTIFY_SOCKET`.
package final class NotifySocket: Sendable {
  package enum Kind: CaseIterable, Sendable { case path, abstract }

  private let folder = ScratchFolder()
  private let descriptor: FileDescriptor
  /// The value of `$NOTIFY_SOCKET`.
  package let name: String

  package init(_ kind: Kind = .path) throws {
    let path = Array(folder.file("notify").utf8)
    name = (kind == .path ? "" : "@") + folder.file("notify")
    guard let bound = bindUnixSocket(SOCK_DGRAM, to: kind == .path ? path + [0] : [0] + path) else {
      throw TestFailure("cannot bind \(name)")
    }
    descriptor = FileDescriptor(owning: bound)
  }

  package var environment: [String: String] { ["NOTIFY_SOCKET": name] }

  /// Reads until a message contains `line`; nil if one with a line that starts with `other` is first, or on timeout.
  package func message(with line: String, unless other: String? = nil) throws -> [String]? {
    while let lines = try next() {
      if lines.contains(line) { return lines }
      if let other, lines.contains(where: { $0.hasPrefix(other) }) { return nil }
    }
    return nil
  }

  package func hears(_ line: String, unless other: String? = nil) throws -> Bool {
    try message(with: line, unless: other) != nil
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
