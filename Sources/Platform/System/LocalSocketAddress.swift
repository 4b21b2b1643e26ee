internal import Glibc

/// The address of a unix socket: a path, or with `@` in front a name that is in no folder.
struct LocalSocketAddress: Hashable, Sendable, CustomStringConvertible {
  let description: String

  /// Nil for what no unix socket can be called.
  init?(_ text: String) {
    let isNamed = (text.hasPrefix("/") || text.hasPrefix("@")) && text.utf8.count > 1
    // A path is followed by a zero, also where that just fits.
    let room = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - (text.hasPrefix("/") ? 1 : 0)
    guard isNamed, text.utf8.count <= room, !text.utf8.contains(0) else { return nil }
    description = text
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(description.utf8)
    let isAbstract = description.hasPrefix("@")
    if isAbstract { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    // An abstract name ends where the length says.
    let length = MemoryLayout<sa_family_t>.size + name.count + (isAbstract ? 0 : 1)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
    }
  }
}
