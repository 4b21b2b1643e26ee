internal import Glibc
internal import HoldfastCPlatform

extension FileDescriptor {
  /// All bytes of the file at `path`, which may hold at most `limit` of them.
  package static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = FileDescriptor(owning: try check("open \(path)") { open(path, O_RDONLY | O_CLOEXEC) })
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = try check("read \(path)") { read(file.raw, &piece, piece.count) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
      if bytes.count > limit { throw SystemError(operation: "read \(path)", code: EFBIG) }
    }
  }
}

extension SystemError {
  /// There is nothing of that name.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
}

/// Puts `bytes` in the place of the file at `path`: whoever looks sees the one or the other, whole. Where root does so for
/// somebody else, in that one's folder, it may belong to them, too.
package func replaceFile(_ path: String, by bytes: [UInt8], keepsOwner: Bool = false) throws(SystemError) {
  let new = path + ".new"
  unlink(new)
  let file = try FileDescriptor.create(new, .new)
  if keepsOwner, geteuid() == 0 {
    var status = stat()
    let (raw, place) = (file.raw, folder(of: path))
    try check("stat \(place)") { stat(place, &status) }
    try check("chown \(new)") { fchown(raw, status.st_uid, status.st_gid) }
  }
  try file.write(bytes)
  try file.synchronize()
  try check("rename \(new)") { rename(new, path) }
}
