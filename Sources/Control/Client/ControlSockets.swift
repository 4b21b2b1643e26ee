import Glibc
import HoldfastMediaModel
package import HoldfastPlatform

/// The location of the broadcasts' sockets: `NAME.sock` in a folder of the user's.
package enum ControlSockets {
  private static let ending = ".sock"

  package static func claim(
    _ name: String, environment: [String: String]
  ) throws(UnixListener.ClaimError) -> UnixListener {
    let folder = try mapError(ownFolder(environment)) { (error: SystemError) in
      UnixListener.ClaimError.system(error)
    }
    return try UnixListener(name + ending, in: folder)
  }

  private static func ownFolder(_ environment: [String: String]) throws(SystemError) -> PrivateFolder {
    if let folder = fromService(environment) ?? fromSession(environment) { return try PrivateFolder(folder) }
    guard let folder = fromState(environment) else {
      throw SystemError(operation: "find a folder for it", code: ENOENT)
    }
    try createDirectory(folder, permissions: 0o700)
    return try PrivateFolder(folder)
  }

  /// systemd's variable, which may list several folders.
  private static func fromService(_ environment: [String: String]) -> String? {
    environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first { $0.hasPrefix("/") }.map(String.init)
  }

  /// After a change of user the variable may still be the previous user's.
  private static func fromSession(_ environment: [String: String]) -> String? {
    let folders = [environment["XDG_RUNTIME_DIR"], "/run/user/\(PeerCredentials.ownUser)"]
    return folders.compactMap(\.self).first { $0.hasPrefix("/") && isOwnFolder($0) }.map { $0 + "/holdfast" }
  }

  /// No name of a broadcast begins with a dot.
  private static func fromState(_ environment: [String: String]) -> String? {
    StateFolder.path(environment).map { $0 + "/.sockets" }
  }

  package struct Running: Hashable, Sendable {
    package let name: String
    package let path: String

    package init(name: String, path: String) {
      self.name = name
      self.path = path
    }
  }

  /// All reachable broadcasts of this user and of system services, sorted by name.
  package static func running(environment: [String: String]) -> [Running] {
    var found: [Running] = []
    for folder in folders(environment) {
      for file in fileNames(in: folder.path) where file.hasSuffix(ending) {
        let broadcast = Running(name: String(file.dropLast(ending.count)), path: folder.path + "/" + file)
        if isAlive(broadcast.path, in: folder), !found.contains(where: { $0.name == broadcast.name }) {
          found.append(broadcast)
        }
      }
    }
    return found.sorted { $0.name < $1.name }
  }

  /// The socket of this name, preferably a reachable one; nil if there is none.
  package static func socket(of name: String, environment: [String: String]) -> String? {
    let places = folders(environment).map { (folder: $0, path: $0.path + "/" + name + ending) }
      .filter { fileExists($0.path) }
    return (places.first { isAlive($0.path, in: $0.folder) } ?? places.first)?.path
  }

  /// Root looks first where only root can have placed the folder.
  private static func folders(_ environment: [String: String]) -> [SocketFolder] {
    let own = [fromService(environment), fromSession(environment), fromState(environment)]
    let service: [String?] = ["/run/holdfast"]
    var paths: [String] = []
    for path in PeerCredentials.ownUser == 0 ? service + own : own + service {
      if let path, !paths.contains(path) { paths.append(path) }
    }
    return paths.compactMap { SocketFolder($0) }
  }

  private static func isAlive(_ path: String, in folder: SocketFolder) -> Bool {
    do throws(SystemError) {
      return folder.mayServe(try UnixConnection(path, until: .now).peer)
    } catch {
      return error.isTimeOut
    }
  }
}
