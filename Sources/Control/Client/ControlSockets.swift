import HoldfastMediaModel
package import HoldfastPlatform

/// The location of the broadcasts' sockets: `NAME.sock` in a folder of the user's.
package enum ControlSockets {
  private static let ending = ".sock"

  package static func claim(
    _ name: String, environment: [String: String]
  ) throws(UnixListener.ClaimError) -> UnixListener {
    let folder: PrivateFolder
    do throws(SystemError) {
      folder = try ownFolder(environment)
    } catch {
      throw .system(error)
    }
    return try UnixListener(name + ending, in: folder)
  }

  private static func ownFolder(_ environment: [String: String]) throws(SystemError) -> PrivateFolder {
    if let folder = fromService(environment) ?? fromSession(environment) { return try PrivateFolder(folder) }
    return try PrivateFolder(temporary, isInSharedFolder: true)
  }

  /// systemd's variable, which may list several folders.
  private static func fromService(_ environment: [String: String]) -> String? {
    environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first { $0.hasPrefix("/") }.map(String.init)
  }

  /// After a change of user the variable may still be the previous user's.
  private static func fromSession(_ environment: [String: String]) -> String? {
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), isOwnFolder(folder) else {
      return nil
    }
    return folder + "/holdfast"
  }

  private static var temporary: String { "/tmp/holdfast-\(PeerCredentials.ownUser)" }

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
      for file in fileNames(in: folder) where file.hasSuffix(ending) {
        let broadcast = Running(name: String(file.dropLast(ending.count)), path: folder + "/" + file)
        if isAlive(broadcast.path), !found.contains(where: { $0.name == broadcast.name }) {
          found.append(broadcast)
        }
      }
    }
    return found.sorted { $0.name < $1.name }
  }

  /// The socket of this name, preferably a reachable one; nil if there is none.
  package static func socket(of name: String, environment: [String: String]) -> String? {
    let paths = folders(environment).map { $0 + "/" + name + ending }.filter(fileExists)
    return paths.first(where: isAlive) ?? paths.first
  }

  private static func folders(_ environment: [String: String]) -> [String] {
    var folders: [String] = []
    for folder in [fromService(environment), fromSession(environment), temporary, "/run/holdfast"] {
      if let folder, !folders.contains(folder) { folders.append(folder) }
    }
    return folders
  }

  private static func isAlive(_ path: String) -> Bool {
    do throws(SystemError) {
      _ = try UnixConnection(path, until: .now)
      return true
    } catch {
      return error.isTimeOut
    }
  }
}
