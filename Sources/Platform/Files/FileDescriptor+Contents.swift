import Glibc
import HoldfastCPlatform

extension FileDescriptor {
  /// The contents of a file; fails if it is larger than `limit` bytes.
  package static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor(opening: path, O_RDONLY)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = try check("read \(path)") { read(file.raw, &piece, piece.count) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
      if bytes.count > limit { throw .tooLarge(path) }
    }
  }
}

/// Atomically replaces a file.
package func replaceFile(_ path: String, by bytes: [UInt8]) throws(SystemError) {
  try FilePlace(path).replace(by: bytes)
}

/// Writes to a path that the user has named: replaces a regular file atomically, and writes to a device or a FIFO. Links
/// are refused.
package func saveFile(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
  let place = try FilePlace(path)
  if let present = try place.status(), present.st_mode & S_IFMT != S_IFREG {
    if present.st_mode & S_IFMT == S_IFLNK {
      throw SystemError(operation: "replace the symbolic link \(path)", code: EINVAL)
    }
    let file = try place.open(O_WRONLY | O_NONBLOCK)
    cp_set_blocking(file.raw)
    return try file.write(bytes)
  }
  let unfinished = try place.beside(".\(UInt64.random(in: 0...(.max))).part")
  let file = try unfinished.create()
  do throws(SystemError) {
    if let old = try? FileDescriptor.openForReading(place) { file.takeRights(of: old) }
    try file.write(bytes)
    try file.synchronize()
    try unfinished.move(to: place, replaces: true)
    try place.synchronizeFolder()
  } catch {
    unfinished.remove()
    throw error
  }
}
