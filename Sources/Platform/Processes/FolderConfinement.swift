import Glibc
import HoldfastCPlatform

/// The folders that a child process and whatever it starts may open, beside the system's programs and libraries; the
/// kernel enforces it (Landlock). The child can't gain privileges either.
package struct FolderConfinement: Hashable, Sendable {
  package struct Folder: Hashable, Sendable {
    package let path: String
    package let isWritable: Bool

    package init(path: String, isWritable: Bool) {
      self.path = path
      self.isWritable = isWritable
    }
  }

  package var folders: [Folder]

  package init(_ folders: [Folder]) { self.folders = folders }

  /// What programs need: no keys and no data of others.
  private static let system = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/etc/alternatives", "/etc/ssl",
    "/etc/ca-certificates", "/etc/ld.so.cache", "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf",
    "/etc/gai.conf", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/etc/services", "/etc/protocols",
    "/etc/localtime",
  ]
  private static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]

  // The kernel's numbers; headers may be older than the kernel.
  private static let execute: UInt64 = 1 << 0
  private static let writeFile: UInt64 = 1 << 1
  private static let readFile: UInt64 = 1 << 2
  private static let readFolder: UInt64 = 1 << 3
  private static let truncate: UInt64 = 1 << 14
  private static let ofFiles = execute | writeFile | readFile | truncate
  private static let reading = execute | readFile | readFolder

  /// All accesses that this kernel can forbid; nil without Landlock.
  private static var all: UInt64? {
    switch cp_landlock_version() {
    case ...0: nil
    case 1: 1 << 13 - 1
    case 2: 1 << 14 - 1
    default: 1 << 15 - 1
    }
  }

  /// Throws if the kernel can't confine, or a folder can't be opened.
  package func check() throws(SystemError) { _ = try ruleset() }

  /// Calls `body` on a thread of its own, which is confined, with all processes that it starts.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let ruleset = try ruleset()
    let descriptor = ruleset.raw
    let outcome = Locked<Swift.Result<Result, SystemError>?>(nil)
    let thread = try WorkerThread(name: "confined") {
      let result = Swift.Result { () throws(SystemError) in
        try HoldfastPlatform.check("landlock_restrict_self") { cp_landlock_restrict(descriptor) }
        return try body()
      }
      outcome.withLock { $0 = result }
    }
    thread.join()
    guard let result = outcome.withLock({ $0 }) else {
      throw SystemError(operation: "landlock", code: ENOSYS)
    }
    return try result.get()
  }

  private func ruleset() throws(SystemError) -> FileDescriptor {
    guard let all = Self.all else { throw SystemError(operation: "landlock", code: ENOSYS) }
    let ruleset = FileDescriptor(
      owning: try HoldfastPlatform.check("landlock_create_ruleset") { cp_landlock_ruleset(all) })
    for path in Self.system { try Self.allow(Self.reading & all, in: path, of: ruleset, isOptional: true) }
    for path in Self.devices {
      try Self.allow((Self.readFile | Self.writeFile) & all, in: path, of: ruleset, isOptional: true)
    }
    for folder in folders {
      try Self.allow(folder.isWritable ? all : Self.reading & all, in: folder.path, of: ruleset)
    }
    return ruleset
  }

  private static func allow(
    _ accesses: UInt64, in path: String, of ruleset: borrowing FileDescriptor, isOptional: Bool = false
  ) throws(SystemError) {
    let raw = open(path, cp_O_PATH | O_CLOEXEC)
    guard raw >= 0 else {
      if isOptional { return }
      throw SystemError.last("open \(path)")
    }
    let place = FileDescriptor(owning: raw)
    let isFolder = try place.status().st_mode & S_IFMT == S_IFDIR
    let (set, allowed) = (ruleset.raw, isFolder ? accesses : accesses & ofFiles)
    try HoldfastPlatform.check("landlock_add_rule(\(path))") { cp_landlock_allow(set, place.raw, allowed) }
  }
}
