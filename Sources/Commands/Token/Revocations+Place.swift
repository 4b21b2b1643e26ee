internal import HoldfastControl
internal import HoldfastRecording

extension Revocations {
  /// Where the broadcaster of this name looks: beside its journals. Tokens don't tell capitals from small letters, so
  /// the folder is called by the small ones.
  static func path(session: String, environment: [String: String]) throws(JournalError) -> String {
    try JournalPlace.path(name: SessionName(session).folded, environment: environment)
  }

  convenience init(session: String, environment: [String: String]) throws(JournalError) {
    self.init(folder: try Self.path(session: session, environment: environment))
  }
}
