internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// Tokens for others.
struct TokenRoutes: Sendable {
  /// Nil where no secret is given.
  let mint: TokenMint?

  var all: [ControlRoute] {
    [
      ControlRoute("POST", "/v1/tokens", needs: .grant, isSlow: true) { (call) throws(ControlRefusal) in
        let body = try RequestBody(call.request.body, known: ["name", "role", "lasts"])
        let (name, written, length) = (try body.text("name"), try body.text("role"), try body.length("lasts"))
        guard let role = Role(rawValue: written) else {
          throw .badValue(
            "role", "there is no such role",
            hint: "there are \(Role.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let (text, token) = try present().make(for: name, role, lasting: length, at: WallTime.now)
        return .fine([
          .init("token", .text(text)), .init("id", .text(token.id)),
          .init("expiresAt", .text(token.expiresAt.rfc3339)),
        ])
      },
      ControlRoute("DELETE", "/v1/tokens/{id}", needs: .grant, isSlow: true) {
        (call) throws(ControlRefusal) in
        try present().revoke(call.parameter, at: WallTime.now)
        return .fine([])
      },
    ]
  }

  private func present() throws(ControlRefusal) -> TokenMint {
    guard let mint else {
      throw .notPossible("there is no secret to sign tokens with", hint: "start it with --token-secret FILE")
    }
    return mint
  }
}
