internal import Glibc
internal import HoldfastCPlatform

/// A private folder and its files.
package struct Folder: Hashable, Sendable {
  package let path: String

  /// Creates the folder and its parents where they are missing, and makes it readable for its owner only.
  package init(private path: String) throws(SystemError) {
    try createDirectory(path, permissions: 0o700)
    try check("chmod \(path)") { chmod(path, 0o700) }
    self.path = path
  }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The sorted names of its entries.
  package func names() throws(SystemError) -> [String] { try OpenFolder(path).names() }

  package func remove(_ name: String) throws(SystemError) {
    try check("unlink \(file(name))") { unlink(file(name)) }
  }

  /// Replaces the file `target` by the file `name` atomically.
  package func replace(_ target: String, by name: String) throws(SystemError) {
    try check("rename \(file(name))") { rename(file(name), file(target)) }
  }

  /// Makes changes of its entries survive a power cut.
  package func synchronize() throws(SystemError) { try synchronizeDirectory(path) }
}
