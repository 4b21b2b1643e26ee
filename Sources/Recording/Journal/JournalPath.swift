import HoldfastMediaModel

/// Where the journals of a name are.
package enum JournalPath {
  /// `$STATE_DIRECTORY/NAME` (set by systemd), else `$XDG_STATE_HOME/holdfast/NAME`, else
  /// `~/.local/state/holdfast/NAME`. Relative paths are ignored, as their specifications require.
  package static func resolve(name: String, environment: [String: String]) throws(JournalError) -> String {
    try checkPart(name, "the name")
    // A unit may have several folders, separated by colons.
    let given = environment["STATE_DIRECTORY"]?.split(separator: ":").first
    if let folder = absolute(given.map(String.init)) { return joined(folder, name) }
    if let folder = absolute(environment["XDG_STATE_HOME"]) { return joined(folder, "holdfast/\(name)") }
    if let home = absolute(environment["HOME"]) { return joined(home, ".local/state/holdfast/\(name)") }
    throw JournalError(
      .noFolder, "no folder for the journal is configured",
      hint: "set HOME or XDG_STATE_HOME, or StateDirectory= in the systemd unit")
  }

  /// Rejects text that is unsafe as a file name.
  static func checkPart(_ text: String, _ what: String) throws(JournalError) {
    let isPlain = text.utf8.allSatisfy { $0 != 0x2F && $0 >= 0x20 && $0 != 0x7F }
    guard (1...128).contains(text.utf8.count), isPlain, text.utf8.first != 0x2E else {
      throw JournalError(
        .badName, "\(what) \(text.debugDescription) can't be part of a file name",
        hint: "use letters, digits, - and _")
    }
  }

  private static func absolute(_ path: String?) -> String? {
    path.flatMap { $0.utf8.first == 0x2F ? $0 : nil }
  }

  private static func joined(_ folder: String, _ rest: String) -> String {
    var folder = folder
    while folder.hasSuffix("/") { folder.removeLast() }
    return "\(folder)/\(rest)"
  }
}
