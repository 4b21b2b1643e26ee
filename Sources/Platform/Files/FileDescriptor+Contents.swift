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

/// Writes to a path that the user has named: replaces a regular file atomically, and writes to a device or a FIFO. Links
/// are refused.
package func saveFile(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
  if let present = FileStatus(path), !present.isRegular {
    if present.isLink { throw SystemError(operation: "replace the symbolic link \(path)", code: EINVAL) }
    let file = FileDescriptor(
      owning: try check("open \(path)") { cp_open_for_writing(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK) })
    cp_set_blocking(file.raw)
    return try file.write(bytes)
  }
  let unfinished = path + ".\(UInt64.random(in: 0...(.max))).part"
  let file = try FileDescriptor.create(unfinished, .new)
  do throws(SystemError) {
    if let old = try? FileDescriptor.openForReading(path, followsLink: false) { file.takeRights(of: old) }
    try file.write(bytes)
    try file.synchronize()
    try moveFile(unfinished, over: path)
  } catch {
    removeFile(unfinished)
    throw error
  }
}
