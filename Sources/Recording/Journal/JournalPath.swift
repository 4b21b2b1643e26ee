import HoldfastMediaModel
import HoldfastPlatform

/// Where the journals of a name are.
package enum JournalPath {
  /// The folder `name` in the state folder.
  package static func resolve(name: String, environment: [String: String]) throws(JournalError) -> String {
    try checkPart(name, "the name")
    if let folder = StateFolder.path(environment) { return "\(folder)/\(name)" }
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
}
