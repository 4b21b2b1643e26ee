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

/// Atomically replaces a file. With `keepsOwner`, root gives it to the owner of its folder.
package func replaceFile(_ path: String, by bytes: [UInt8], keepsOwner: Bool = false) throws(SystemError) {
  let new = path + ".new"
  unlink(new)
  let file = try FileDescriptor.create(new, .new)
  if keepsOwner, geteuid() == 0 {
    let (raw, status) = (file.raw, try fileStatus(folder(of: path)))
    try check("chown \(new)") { fchown(raw, status.st_uid, status.st_gid) }
  }
  try file.write(bytes)
  try file.synchronize()
  try check("rename \(new)") { rename(new, path) }
}
