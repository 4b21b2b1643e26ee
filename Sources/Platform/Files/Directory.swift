internal import Glibc
internal import HoldfastCPlatform

/// Makes `path` and every folder above it that isn't there. Where root makes one for somebody else, in that one's folder,
/// it may belong to them, too.
package func createDirectory(
  _ path: String, permissions: UInt32 = 0o755, keepsOwner: Bool = false
) throws(SystemError) {
  var made = path.hasPrefix("/") ? "/" : ""
  for part in path.split(separator: "/") {
    let above = made.isEmpty ? "." : made
    made += (made.isEmpty || made == "/" ? "" : "/") + part
    if mkdir(made, permissions) == 0 {
      if keepsOwner, geteuid() == 0 { try giveOwner(of: above, to: made) }
    } else if cp_errno() != EEXIST {
      throw .last("mkdir \(made)")
    }
  }
}

private func giveOwner(of folder: String, to path: String) throws(SystemError) {
  var status = stat()
  try check("stat \(folder)") { stat(folder, &status) }
  try check("chown \(path)") { lchown(path, status.st_uid, status.st_gid) }
}

/// `path` as it is from every folder.
package func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
  defer { free(folder) }
  return String(cString: folder) + "/" + path
}

/// What was made, renamed or removed in the folder at `path` outlives a power cut.
package func synchronizeDirectory(_ path: String) throws(SystemError) {
  let folder = FileDescriptor(
    owning: try check("open \(path)") { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
  try check("fsync \(path)") { fsync(folder.raw) }
}

/// The same for the folder in which the file at `path` lies.
package func synchronizeDirectory(of path: String) throws(SystemError) {
  try synchronizeDirectory(folder(of: path))
}

/// Which disk the folder of the file at `path` is on: another one when it has been unmounted.
package func diskNumber(ofFolderOf path: String) throws(SystemError) -> UInt64 {
  var status = stat()
  let folder = folder(of: path)
  try check("stat \(folder)") { stat(folder, &status) }
  return UInt64(status.st_dev)
}

/// The folder that the file at `path` lies in.
package func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

package func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }
