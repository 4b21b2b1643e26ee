internal import CPlatform
internal import Glibc

/// A folder that is there, and what can be done with what lies in it.
package struct Folder: Hashable, Sendable {
  package let path: String

  /// Makes the folder where it isn't there, and those above it. From then on only its owner may look inside.
  package init(private path: String) throws(SystemError) {
    try createDirectory(path, permissions: 0o700)
    try check("chmod \(path)") { chmod(path, 0o700) }
    self.path = path
  }

  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of what lies in it, in order.
  package func names() throws(SystemError) -> [String] {
    guard let stream = opendir(path) else { throw .last("opendir \(path)") }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package func remove(_ name: String) throws(SystemError) {
    try check("unlink \(file(name))") { unlink(file(name)) }
  }

  /// Puts the file `name` in the place of `target`: whoever looks sees the one or the other, whole.
  package func replace(_ target: String, by name: String) throws(SystemError) {
    try check("rename \(file(name))") { rename(file(name), file(target)) }
  }

  /// What was made, renamed or removed in it outlives a power cut.
  package func synchronize() throws(SystemError) {
    try synchronizeDirectory(path)
  }
}
