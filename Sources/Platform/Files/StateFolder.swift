/// The folder for what outlives a broadcaster.
package enum StateFolder {
  /// `$STATE_DIRECTORY` (set by systemd), else `$XDG_STATE_HOME/holdfast`, else `~/.local/state/holdfast`; nil without any.
  /// Relative paths are ignored, as their specifications require.
  package static func path(_ environment: [String: String]) -> String? {
    // A unit may have several folders, separated by colons.
    let given = environment["STATE_DIRECTORY"]?.split(separator: ":").first
    if let folder = absolute(given.map(String.init)) { return folder }
    if let folder = absolute(environment["XDG_STATE_HOME"]) { return folder + "/holdfast" }
    return absolute(environment["HOME"]).map { $0 + "/.local/state/holdfast" }
  }

  private static func absolute(_ path: String?) -> String? {
    guard var path, path.utf8.first == 0x2F else { return nil }
    while path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
