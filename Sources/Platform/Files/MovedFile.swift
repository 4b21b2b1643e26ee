import Glibc
package import HoldfastMediaModel

/// Gives a regular file that is not empty another name in its folder, with the time in it; nil if there is none. The new
/// name was free.
package func moveAside(_ path: String, at time: WallTime = .now) throws(SystemError) -> String? {
  guard let status = FileStatus(path), status.isRegular, status.size > 0 else { return nil }
  let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
  let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
  for number in 1...1000 {
    let suffix = number == 1 ? "" : "-\(number)"
    let new = "\(path[..<dot])-\(time.compact)\(suffix)\(path[dot...])"
    do throws(SystemError) {
      try check("link \(new)") { link(path, new) }
    } catch  where error.alreadyExists {
      continue
    }
    try check("unlink \(path)") { unlink(path) }
    return new
  }
  throw SystemError(operation: "find a name for \(path)", code: EEXIST)
}
