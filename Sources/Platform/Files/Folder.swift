import Glibc
import HoldfastCPlatform

/// A folder accessible to its owner only.
package struct Folder: Hashable, Sendable {
  package let path: String

  /// Creates the folder and missing parents, and restricts it to its owner.
  package init(private path: String) throws(SystemError) {
    try createDirectory(path, permissions: 0o700)
    try OpenFolder(path).restrict()
    self.path = path
  }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  package func names() throws(SystemError) -> [String] { try OpenFolder(path).names() }

  package func remove(_ name: String) throws(SystemError) {
    try check("unlink \(file(name))") { unlink(file(name)) }
  }

  /// Atomically renames `name` to `target`.
  package func replace(_ target: String, by name: String) throws(SystemError) {
    try check("rename \(file(name))") { rename(file(name), file(target)) }
  }

  package func synchronize() throws(SystemError) { try synchronizeDirectory(path) }
}
