internal import HoldfastBroadcasting

/// Everything that `holdfast publish` is told: its broadcast's configuration, and what concerns the program alone.
struct ProgramSettings: Hashable, Sendable {
  var broadcast = Configuration()
  /// The file that event lines are added to, `-` for standard output.
  var events: String?
  /// The states of the session at which the broadcast is interrupted.
  var interruptOn: Set<SessionState> = []
  /// Where it can be controlled over TCP, `HOST:PORT`; nil for on its own socket alone.
  var listen: String?
  /// The file with what tokens are signed with.
  var tokenSecret: String?
  /// The certificate, with all that leads to its root, and its key: TLS where it listens.
  var tlsCert: String?
  var tlsKey: String?

  /// The name of each of the program's own settings, as configuration files and errors write it.
  enum Setting: String, Hashable, Sendable, CaseIterable {
    case events, interruptOn, listen, tokenSecret, tlsCert, tlsKey
  }
}

/// What may become of the session at the machine's screen.
enum SessionState: String, Hashable, Sendable, CaseIterable {
  case lock
  /// Another session has the screen.
  case inactive
}
