import HoldfastHTTP
import HoldfastMembership

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
