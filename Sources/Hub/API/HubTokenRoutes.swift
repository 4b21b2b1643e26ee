import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import HoldfastTokens

/// Routes that issue and revoke tokens: by a host those of its own session, by the local user any; an operator
/// revokes any, too.
struct HubTokenRoutes: Sendable {
  let hub: HubParts
  /// Nil without a token secret.
  let issuer: TokenIssuer?
  let revoked: @Sendable () -> Void
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
        let (text, token) = try issuer.required().make(
          for: name, role, in: session, lasting: length, noLaterThan: call.caller.expiresAt,
          at: WallTime.now)
        let end = token.expiresAt.rfc3339
        note(
          "\(call.caller.title) issued token \(token.id) to \(token.name) (\(role.rawValue) of \(session)), until \(end)"
        )
        return .ok(["token": .text(text), "id": .text(token.id), "expiresAt": .text(end)])
      },
      HubRoute("POST", "/v1/revocations", needs: .revoke, to: "revoke tokens", isSlow: true, answer: revoke),
    ]
  }

  /// Who was removed lets nobody in by another token, and keeps nobody out.
  private func checkPlace(of caller: Caller) throws(APIError) {
    guard !caller.seesAll, let own = caller.session else { return }
    let loaded = try hub.load(checked(SessionNames.name(own.text)))
    if loaded.session.meeting?.hasRemoved(caller.credential) == true {
      throw APIError(Session.Refusal.removed)
    }
  }

  private func session(_ role: Role, _ body: RequestBody, _ caller: Caller) throws(APIError) -> String {
    let named = try body.optionalText("session")
    if role.isOfAllSessions {
      guard caller.tokenID == nil else {
        throw APIError(
          403, "notAllowed", "a host's token may not issue tokens for all sessions",
          hint: "run holdfast token on the hub's machine")
      }
      return SessionName.all.text
    }
    guard let own = caller.session?.text else {
      guard let named else { throw .badValue("session", "required", hint: "name the session") }
      return named
    }
    guard let named, SessionName(named) != SessionName(own) else { return own }
    throw APIError(
      403, "notAllowed", "a host's token may issue tokens for its own session alone",
      hint: "leave the session out")
  }

  /// First in the store, so that a revocation that was answered is one for all hubs.
  private func revoke(_ call: HubRoute.Call) throws(APIError) -> HTTPResponse {
    try checkPlace(of: call.caller)
    let (issuer, now) = (try issuer.required(), WallTime.now)
    let revocation = try revocation(call, issuer, at: now)
    let reserve = call.caller.seesAll ? 0 : TokenIssuer.reserve
    let isShared = try mapError(
      hub.stores.with { store throws(StoreError) in
        try store.revoke(
          [revocation.id: revocation.end], limit: Revocations.capacity - reserve, needsReplica: true,
          at: now)
      }
    ) { (error: StoreError) in APIError(.store(error)) }
    guard isShared else {
      throw APIError(
        503, "notTaken", "the store's list of revoked tokens is full",
        hint: "change the secret, which invalidates all tokens, and remove the list")
    }
    do throws(APIError) {
      try issuer.revoke(revocation, at: now, leaving: reserve)
    } catch {
      // In force at least until the hub ends.
      _ = issuer.revocations.learn([revocation.id: revocation.end], at: now)
      revoked()
      note(
        "token \(revocation.id) is refused until this hub ends, but its revocation can't be kept: \(error.message)"
      )
      throw error
    }
    revoked()
    note("\(call.caller.title) revoked token \(revocation.id)")
    return .ok()
  }

  /// An id does not say which session its token is for.
  private func revocation(
    _ call: HubRoute.Call, _ issuer: TokenIssuer, at now: WallTime
  ) throws(APIError) -> Revocation {
    let body = try call.body("token", "id")
    guard let id = try body.optionalText("id") else {
      return try issuer.revocation(
        of: try body.text("token", maxLength: Token.maxLength),
        ifOf: call.caller.seesAll ? nil : call.caller.session, at: now)
    }
    guard try body.optionalText("token") == nil else {
      throw .badValue("id", "not with a token", hint: "send one of them")
    }
    guard call.caller.seesAll else {
      throw APIError(
        403, "notAllowed", "a host's token may not revoke by an id alone",
        hint: "send the whole token, or use an operator's token")
    }
    return try issuer.revocation(ofID: id, at: now)
  }
}
