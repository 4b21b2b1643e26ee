import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastTokens

struct TokenRoutes: Sendable {
  /// Nil without a token secret.
  let issuer: TokenIssuer?
  let note: @Sendable (String) -> Void

  var all: [ControlRoute] {
    [
      ControlRoute("POST", "/v1/tokens", needs: .grant, isSlow: true) { (call) throws(APIError) in
        let body = try call.body("name", "role", "lasts")
        let (name, written, length) = (
          try body.text("name"), try body.text("role"), try body.duration("lasts")
        )
        guard let role = Role.ofBroadcasts.first(where: { $0.rawValue == written }) else {
          throw .badValue(
            "role", "unknown role",
            hint: "use one of \(Role.ofBroadcasts.map(\.rawValue).joined(separator: ", "))")
        }
        let (text, token) = try issuer.required().make(
          for: name, role, lasting: length, noLaterThan: call.caller.expiresAt, at: WallTime.now)
        let end = token.expiresAt.rfc3339
        note(
          "\(call.caller.title) issued token \(token.id) to \(token.name) (\(role.rawValue)), until \(end)")
        return .ok(["token": .text(text), "id": .text(token.id), "expiresAt": .text(end)])
      },
      ControlRoute("POST", "/v1/revocations", needs: .grant, to: "revoke tokens", isSlow: true) {
        (call) throws(APIError) in
        let token = try call.body("token").text("token", maxLength: Token.maxLength)
        try issuer.required().revoke(token: token, at: WallTime.now)
        return .ok()
      },
      ControlRoute("DELETE", "/v1/tokens/{id}", needs: .grant, to: "revoke tokens", isSlow: true) {
        (call) throws(APIError) in
        try issuer.required().revoke(call.parameter, at: WallTime.now)
        return .ok()
      },
    ]
  }
}
