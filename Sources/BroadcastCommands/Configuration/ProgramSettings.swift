import HoldfastBroadcasting
import HoldfastCommands
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastSession

/// The settings of `holdfast publish`: the broadcast's configuration and the program's own settings.
struct ProgramSettings: Hashable, Sendable {
  var broadcast = Configuration()
  /// The file for event lines, `-` for standard output.
  var events: String?
  /// The session states that interrupt the broadcast.
  var interruptOn: Set<SessionState> = []
  /// The TCP address for control, `HOST:PORT`; nil for the socket alone.
  var listen: String?
  var tokenSecret: String?
  /// The TLS certificate chain and its key.
  var tlsCert: String?
  var tlsKey: String?
  /// The environment variables that hold keys (`env:NAME`); the user's commands don't get them.
  var secretVariables: Set<String> = []
  /// Tells browsers to use TLS only.
  var hsts = false
  /// The folders that gates and commands for recordings may open; empty for no limits.
  var hookFolders: [FolderConfinement.Folder] = []

  /// The session that the box joins.
  var membership = MembershipSettings()

  /// The broadcast as a member of the session.
  var broadcasting: Configuration {
    var configuration = broadcast
    configuration.session.gate.awaitsOthers = membership.awaitsOthers != nil
    configuration.programme.caFile = membership.hubCA
    if let session = membership.session {
      configuration.addSessionOutputs(
        at: session.origin.host, trusting: membership.hubCA, small: membership.smallRendition)
    }
    return configuration
  }

  /// The session that the process joins: as a box, or as the programme of its stage.
  var joined: (address: HTTPAddress, kind: Session.Member.Kind)? {
    if let stage = broadcast.stage.flatMap({ try? HTTPAddress($0, insecureLAN: true) }) {
      return (stage, .programme)
    }
    return membership.session.map { ($0, .box) }
  }

  func checkSmallRendition() throws(Refusal) {
    guard let name = membership.smallRendition else { return }
    let subject = "--session-small \(shown(name))"
    guard membership.session != nil else {
      throw Refusal(
        .usage, subject, "it is published at a session, and the box joins none",
        "add --session, or leave it out")
    }
    try valid(broadcast.checkChoice(of: name), for: subject)
  }

  /// The names of the program's own settings in files and errors.
  enum Setting: String, Hashable, Sendable, CaseIterable {
    case events, interruptOn, listen, tokenSecret, tlsCert, tlsKey, hsts, hookFolders
    case session, `as`, sessionToken, sessionPassword, sessionSmall, allowUnmute, afterSession, awaitOthers
    case hubCa, insecureLan
  }
}

/// A state of the session at the machine's screen.
enum SessionState: String, Hashable, Sendable, CaseIterable {
  case lock
  /// Another session has the screen.
  case inactive
}

/// The session that a box joins, as its options say.
struct MembershipSettings: Hashable, Sendable {
  /// `https://HUB/NAME`; nil for no session.
  var session: HTTPAddress?
  /// What the box is called there; nil for the broadcast's name.
  var name: String?
  /// `@FILE` or `env:NAME`, read anew with each join, or the token itself.
  var token: String?
  var password: String?
  /// The name of the rendition that is published for small tiles, too.
  var smallRendition: String?
  var allowsUnmute = false
  var afterSession = MembershipMachine.AfterSession.endBroadcast
  /// How many other members have to be ready before the broadcast goes live.
  var awaitsOthers: Int?
  /// Also trust the certificates in this file.
  var hubCA: String?
  /// A hub on another machine may be reached without TLS.
  var allowsInsecureLAN = false
}
