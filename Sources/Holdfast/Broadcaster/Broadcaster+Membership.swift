import HoldfastMembership
import HoldfastSessionClient

extension Broadcaster {
  /// Answers the session's question whether this broadcaster unmutes what it has muted itself.
  public func answerUnmute(_ agrees: Bool) throws(CommandError) {
    guard membership.link?.snapshot?.asked.isEmpty == false else {
      throw CommandError(
        kind: .notPossible, what: "nobody in a session asks to unmute", hint: "use unmute(_:)")
    }
    membership.link?.order(.answer(agrees))
  }

  /// Leaves the session; the broadcast goes on alone, and does not come back by itself.
  public func leaveSession() throws(CommandError) {
    try requireMembership()
    membership.link?.leave()
  }

  /// Uses another password for the session from the next attempt to join on, which comes soon if one was missing or wrong.
  public func useSessionPassword(_ password: String) throws(CommandError) {
    try requireMembership()
    membership.link?.use(password: password)
  }

  private func requireMembership() throws(CommandError) {
    guard membership.settings != nil else {
      throw CommandError(
        kind: .notPossible, what: "the broadcaster has no session", hint: "set configuration.membership")
    }
  }
}
