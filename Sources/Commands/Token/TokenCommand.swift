import HoldfastControl
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
package import HoldfastTokens

/// `holdfast token --secret FILE --name NAME --role ROLE --session NAME`
struct TokenCommand: Command {
  static let name = "token"
  static let summary = "issue and revoke access tokens for a broadcast"
  static let help = """
    Usage: holdfast token --secret FILE --name WHO --role ROLE --session NAME
                          [--lasts TIME]
           holdfast token --new-secret FILE
           holdfast token --revoke ID --session NAME
           holdfast token --revoke ID --hub https://HUB --token TOKEN
           holdfast token --list-revoked --session NAME

    Creates a token for the broadcast of this name, which must run with the same
    --token-secret. Send it as Authorization: Bearer TOKEN. The token is printed
    alone on standard output; its id, role and expiry go to standard error.

    \(HelpText.table(TokenRequest.options))

    A host may do everything, a manager everything except start, end and grant, and
    a participant may only view. Revocations are stored next to the broadcast's
    journal, so revoke as the user, and with the environment, that it runs with.
    With --hub an operator's token revokes any token that was issued with the hub's
    secret; all hubs that share its store refuse it within about a second.

    Exit status: 0 success, 64 incorrect usage, or no such token at the hub, 66 no
    such secret or file, 69 the hub or its store can't be reached, 77 the secret is
    unsafe or too short, the file already exists, or the hub refuses.
    """

  let request: TokenRequest
  private let environment: [String: String]

  init(_ arguments: [String], environment: [String: String]) throws(Refusal) {
    request = try TokenRequest(arguments, environment: environment)
    self.environment = environment
  }

  func run() throws(Refusal) -> Int32 {
    let answer = try answer(at: WallTime.now)
    if let output = answer.output { printOutput(output) }
    if let note = answer.note { Terminal().print(note) }
    return ExitStatus.success.rawValue
  }

  /// The texts for standard output and standard error.
  func answer(at now: WallTime) throws(Refusal) -> (output: String?, note: String?) {
    switch request {
    case .grant(let grant):
      let (token, text) = try make(grant, at: now)
      return (text, "token \(token.id), \(token.role.rawValue), until \(token.expiresAt.rfc3339)")
    case .makeSecret(let path):
      try naming("--new-secret", TokenSecret.makeFile(path))
      return (nil, "created \(shown(path)); use it with publish --token-secret")
    case .revoke(let id, let session):
      let revocations = try revocations(of: session)
      try naming("--revoke", revocations.revoke(id, at: now))
      return (nil, "revoked token \(id) of \(shown(session)) in \(revocations.path)")
    case .revokeAtHub(let id, let hub):
      if hub.token.isLiteral { SessionCommand.warn(ofLiteral: "--token") }
      var connection = try HubConnection(
        hub.origin, token: hub.token.text, tls: hub.tls, subject: "hub \(hub.origin)")
      _ = try connection.send(HTTPRequest("POST", "/v1/revocations", body: ["id": .text(id)]))
      return (nil, "revoked token \(id) at \(hub.origin)")
    case .listRevoked(let session):
      let revocations = try revocations(of: session)
      let revoked = try naming("--list-revoked", revocations.all())
      let lines = revoked.map { "\($0.id) \($0.expiresAt?.rfc3339 ?? "-")" }
      return (lines.isEmpty ? nil : lines.joined(separator: "\n"), nil)
    }
  }

  private func make(_ grant: TokenRequest.Grant, at now: WallTime) throws(Refusal) -> (Token, String) {
    let secret = try naming("--secret", TokenSecret(contentsOf: grant.secret))
    let token = try valid(
      Token(
        name: grant.name, role: grant.role, session: grant.session, lasts: grant.lasts, at: now,
        secret: secret), for: "token")
    return (token, try valid(token.text(signedWith: secret), for: "token"))
  }

  private func revocations(of session: String) throws(Refusal) -> Revocations {
    try Revocations(session: session, environment: environment, .usage, for: "--session")
  }

  /// Names `option` in refusals.
  private func naming<Result>(
    _ option: String, _ body: @autoclosure () throws(TokenFileError) -> Result
  ) throws(Refusal) -> Result {
    do throws(TokenFileError) { return try body() } catch { throw Refusal(error, naming: option) }
  }
}

extension Refusal {
  init(_ error: TokenFileError, naming option: String) {
    let status: ExitStatus =
      switch error.kind {
      case .notFound: .notFound
      case .unsuitable, .alreadyExists, .full: .refused
      case .noID: .usage
      case .system: .system
      }
    self.init(status, option, error.what, error.hint)
  }
}

extension Revocations {
  /// In the folder with the broadcaster's journals, in lower case as tokens ignore case.
  package convenience init(
    session: String, environment: [String: String], _ status: ExitStatus, for subject: String
  ) throws(Refusal) {
    let name = SessionName(session).folded
    let folder = try mapError(JournalPath.resolve(name: name, environment: environment)) {
      (error: JournalError) in Refusal(status, subject, error.what, error.hint)
    }
    self.init(folder: folder)
  }
}

extension TokenSecret {
  /// Reads a file whose name an option gave.
  package init(file path: String, named option: String) throws(Refusal) {
    self = try mapError(TokenSecret(contentsOf: path)) { (error: TokenFileError) in
      Refusal(error, naming: "\(option) \(shown(path))")
    }
  }
}
