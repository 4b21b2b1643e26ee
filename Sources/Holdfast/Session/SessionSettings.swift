import HoldfastBroadcasting
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastSession
import HoldfastSessionClient

/// The session to join, and as whom: of a `SessionMember`, or of a `Broadcaster`.
public struct SessionSettings: Hashable, Sendable, CustomStringConvertible {
  /// What a broadcaster does when its session was ended for all, or its time is over.
  public enum AfterSession: String, Hashable, Sendable, CaseIterable {
    case endBroadcast
    /// Only the output at the session closes.
    case goOn
  }

  /// `https://HUB/NAME`; `http` for this machine only.
  public var url: String
  /// What the member is called; nil for the name of the broadcast, and needed without one.
  public var name: String?
  /// The token that opens the session, if its hub asks for one.
  public var token: String?
  /// The session's password, if it has one.
  public var password: String?
  /// A random text of 16 to 128 printable characters. Who has the same one is the same member, in place of the other; nil
  /// for a new one. A broadcaster with `session.afterCrash` keeps its own.
  public var memberKey: String?
  /// A PEM file of certificates to trust in addition to the system's.
  public var certificateFile: String?
  /// The name of a rendition that the broadcaster publishes at the session, too, for pages that show it in a small tile.
  public var smallRendition: String?
  /// Whoever asks the broadcaster to unmute gets a yes.
  public var allowsUnmute = false
  public var afterSession = AfterSession.endBroadcast
  /// How many other members have to be ready before the broadcast goes live; nil to wait for nobody.
  public var awaitsOthers: Int?

  /// Creates settings for the session at `url`.
  public init(_ url: String, name: String? = nil) {
    self.url = url
    self.name = name
  }

  /// The address and the name; safe to log.
  public var description: String { name.map { "\(url) as \($0)" } ?? url }
}

extension SessionSettings {
  /// What a member is made of; `property` is how an error names the settings.
  func checked(
    as otherName: String?, property: String
  ) throws(ConfigurationError) -> (HubRequests.Place, MembershipMachine.Settings) {
    func wrong(_ field: String, _ what: String, _ hint: String) -> ConfigurationError {
      ConfigurationError(properties: [property + field], what: what, hint: hint)
    }
    let address = try mapError(HTTPAddress(url)) { (error: InvalidValue) in
      wrong("url", error.what, error.hint ?? "write https://HUB/NAME")
    }
    guard let text = name ?? otherName else {
      throw wrong("name", "the member has no name", "choose one for the others to see")
    }
    let displayName = try mapError(HoldfastSession.Session.DisplayName(text)) {
      (error: HoldfastSession.Session.Refusal) in wrong("name", error.message, error.hint)
    }
    if let memberKey, !Self.isKey(memberKey) {
      throw wrong("memberKey", "not a member's key", "use 16 to 128 random printable characters")
    }
    let others = 1..<HoldfastSession.Session.Limits.members
    if let awaitsOthers, !others.contains(awaitsOthers) {
      throw wrong("awaitsOthers", "not a number of members", "use 1 to \(others.upperBound - 1), or nil")
    }
    var machine = MembershipMachine.Settings(address: address.description, name: displayName)
    machine.password = password
    if smallRendition != nil { machine.wants.insert(.ingestSmall) }
    machine.allowsUnmute = allowsUnmute
    machine.afterSession =
      switch afterSession {
      case .endBroadcast: .endBroadcast
      case .goOn: .goOn
      }
    let place = HubRequests.Place(address, tls: TLSSettings(caFile: certificateFile)) {
      [token] in token
    }
    return (place, machine)
  }

  private static func isKey(_ text: String) -> Bool {
    (16...128).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Adds what the broadcaster publishes at the session, under the name of the hub's host.
  func addOutputs(to inner: inout HoldfastBroadcasting.Configuration) throws(ConfigurationError) {
    if let smallRendition {
      do throws(InvalidValue) { try inner.checkChoice(of: smallRendition) } catch {
        throw ConfigurationError(
          properties: ["membership.smallRendition"], what: error.what, hint: error.hint ?? "")
      }
    }
    guard let host = (try? HTTPAddress(url))?.origin.host else { return }
    inner.addSessionOutputs(at: host, trusting: certificateFile, small: smallRendition)
  }
}
