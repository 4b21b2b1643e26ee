import HoldfastRecording
import HoldfastTokens

extension Revocations {
  /// The folder with the broadcaster's journals, in lower case as tokens ignore case.
  static func path(session: String, environment: [String: String]) throws(JournalError) -> String {
    try JournalPath.resolve(name: SessionName(session).folded, environment: environment)
  }

  convenience init(session: String, environment: [String: String]) throws(JournalError) {
    self.init(folder: try Self.path(session: session, environment: environment))
  }
}
