internal import CPlatform
internal import Glibc

/// Makes `path` and every folder above it that isn't there.
public func createDirectory(_ path: String, permissions: UInt32 = 0o755) throws(SystemError) {
  var made = path.hasPrefix("/") ? "/" : ""
  for part in path.split(separator: "/") {
    made += (made.isEmpty || made == "/" ? "" : "/") + part
    if mkdir(made, permissions) != 0, cp_errno() != EEXIST { throw .last("mkdir \(made)") }
  }
}

/// `path` as it is from every folder.
public func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
  defer { free(folder) }
  return String(cString: folder) + "/" + path
}

public func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }
