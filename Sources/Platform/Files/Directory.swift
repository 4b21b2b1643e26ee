import Glibc
import HoldfastCPlatform

/// Creates a folder and its missing parents. With `keepsOwner`, root creates each as the owner of its parent.
package func createDirectory(
  _ path: String, permissions: UInt32 = 0o755, keepsOwner: Bool = false
) throws(SystemError) {
  var walk = try FolderWalk(path)
  while let name = walk.next() {
    do throws(SystemError) {
      try walk.enter(name)
    } catch  where error.code == ENOENT {
      try FilePlace(name, in: walk.folder, at: path).makeFolder(
        permissions: permissions, keepsOwner: keepsOwner)
      try walk.enter(name)
    }
  }
}

/// The status of a file; follows symbolic links.
func fileStatus(_ path: String) throws(SystemError) -> stat {
  var status = stat()
  try check("stat \(path)") { stat(path, &status) }
  return status
}

package func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
  defer { free(folder) }
  return String(cString: folder) + "/" + path
}

/// Flushes a folder's entries to disk.
package func synchronizeDirectory(_ path: String) throws(SystemError) {
  let folder = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
  try check("fsync \(path)") { fsync(folder.raw) }
}

package func synchronizeDirectory(of path: String) throws(SystemError) {
  try synchronizeDirectory(folder(of: path))
}

/// The device number of the file's folder, which changes when a disk is unmounted or mounted there.
package func diskNumber(ofFolderOf path: String) throws(SystemError) -> UInt64 {
  UInt64(try fileStatus(folder(of: path)).st_dev)
}

/// The device number that the file's folder has once its disk is unmounted; nil if its disk is that of the root.
package func diskNumber(belowFolderOf path: String) throws(SystemError) -> UInt64? {
  let disk = try diskNumber(ofFolderOf: path)
  var place = try realPath(folder(of: path))
  while place != "/" {
    place = folder(of: place)
    let below = UInt64(try fileStatus(place).st_dev)
    if below != disk { return below }
  }
  return nil
}

package func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

package func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Whether a new file can't have this name; a link that leads nowhere takes it, too.
package func isTaken(_ path: String) -> Bool { FileStatus(path) != nil }
