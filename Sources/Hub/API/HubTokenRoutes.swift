import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import HoldfastTokens

/// Routes that issue and revoke tokens: by a host those of its own session, by the local user any.
struct HubTokenRoutes: Sendable {
  let hub: HubParts
  /// Nil without a token secret.
  let issuer: TokenIssuer?
  let note: @Sendable (String) -> Void

  var all: [HubRoute] {
    [
      HubRoute("POST", "/v1/tokens", needs: .grant, to: "issue tokens", isSlow: true) {
        (call) throws(APIError) in
        try checkPlace(of: call.caller)
        let body = try call.body("name", "role", "session", "lasts")
        let (name, role, length) = (
          try body.text("name"), try body.word("role", Role.self), try body.duration("lasts")
        )
        let session = try session(role, body, call.caller)
        let (text, token) = try requireIssuer().make(
          for: name, role, in: session, lasting: length, noLaterThan: call.caller.caller.expiresAt,
          at: WallTime.now)
        let end = token.expiresAt.rfc3339
        note(
          "\(call.caller.caller.title) issued token \(token.id) to \(token.name) (\(role.rawValue) of \(session)), until \(end)"
        )
        return .ok(["token": .text(text), "id": .text(token.id), "expiresAt": .text(end)])
      },
      HubRoute("POST", "/v1/revocations", needs: .grant, to: "revoke tokens", isSlow: true) {
        (call) throws(APIError) in
        try checkPlace(of: call.caller)
        let text = try call.body("token").text("token", maxLength: Token.maxLength)
        let issuer = try requireIssuer()
        try issuer.revoke(token: text, at: WallTime.now, ifOf: call.caller.caller.session)
        return .ok()
      },
    ]
  }

  /// Who was removed lets nobody in by another token, and keeps nobody out.
  private func checkPlace(of caller: HubCaller) throws(APIError) {
    guard let own = caller.caller.session else { return }
    let name: Session.Name
    do throws(Session.Refusal) { name = try SessionNames.name(own.text) } catch { throw APIError(error) }
    let loaded = try hub.load(name)
    if loaded.session.meeting?.hasRemoved(caller.credential) == true {
      throw APIError(Session.Refusal.removed)
    }
  }

  private func session(
    _ role: Role, _ body: RequestBody, _ caller: HubCaller
  ) throws(APIError) -> String {
    let named = try body.optionalText("session")
    if role.isOfAllSessions {
      guard caller.caller.tokenID == nil else {
        throw APIError(
          403, "notAllowed", "a host's token may not issue tokens for all sessions",
          hint: "run holdfast token on the hub's machine")
      }
      return SessionName.all.text
    }
    guard let own = caller.caller.session?.text else {
      guard let named else { throw .badValue("session", "required", hint: "name the session") }
      return named
    }
    guard let named, SessionName(named) != SessionName(own) else { return own }
    throw APIError(
      403, "notAllowed", "a host's token may issue tokens for its own session alone",
      hint: "leave the session out")
  }

  private func requireIssuer() throws(APIError) -> TokenIssuer {
    guard let issuer else {
      throw .notPossible("no secret to sign tokens with", hint: "start with --token-secret FILE")
    }
    return issuer
  }
}
