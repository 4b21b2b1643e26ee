import HoldfastBroadcasting
import HoldfastCommands
import HoldfastControl
import HoldfastHTTP
import HoldfastMediaModel
import HoldfastOperations
import HoldfastPlatform
import HoldfastRecording
import HoldfastTokens

/// The network access to a broadcast's control, and its tokens.
struct ControlAccess {
  let listeners: [TCPListener]
  let tokens: TokenIssuer?
  private let settings: ProgramSettings
  private let certificate: CertificateFiles?

  /// Opens the port at once, to reserve it.
  init(_ settings: ProgramSettings, environment: [String: String]) throws(Refusal) {
    self.settings = settings
    tokens = try settings.tokenSecret.map { (path) throws(Refusal) in
      try Self.tokens(path, session: settings.broadcast.name, environment)
    }
    guard let listen = settings.listen else {
      listeners = []
      certificate = nil
      return
    }
    let subject = "--listen \(shown(listen))"
    certificate = try CertificateFiles(
      certificate: settings.tlsCert, key: settings.tlsKey, hsts: settings.hsts)
    let identity = try certificate?.read()
    let listener = try valid(
      TCPListener(HostAndPort(listen), identity: identity, sendsHSTS: settings.hsts), for: subject,
      hint: "choose another address")
    guard listener.isLoopback || tokens != nil else {
      throw Refusal(
        .usage, subject, "anyone who reaches that address could control the broadcast",
        "set --token-secret FILE (created by holdfast token --new-secret FILE), or listen on 127.0.0.1")
    }
    listeners = [listener]
  }

  private static func tokens(
    _ path: String, session: String, _ environment: [String: String]
  ) throws(Refusal) -> TokenIssuer {
    let secret = try TokenSecret(file: path, named: "--token-secret")
    let revocations = try Revocations(
      session: session, environment: environment, .system, for: "--token-secret \(shown(path))")
    return TokenIssuer(secret: secret, session: session, revocations: revocations)
  }

  /// Whether there are files to read again.
  var canReload: Bool { tokens != nil || certificate != nil }

  /// Reads the secret again; a line for people if it is another one.
  func reloadSecret() throws(Refusal) -> String? {
    guard let tokens, let path = settings.tokenSecret,
      tokens.secret.replace(with: try TokenSecret(file: path, named: "--token-secret"))
    else { return nil }
    return "token secret reloaded: tokens of the old one are refused"
  }

  /// Reads the certificate and its key again; a line for people if they are others.
  func reloadCertificate() throws(Refusal) -> String? {
    guard let listener = listeners.first, let identity = try certificate?.read() else { return nil }
    return try mapError(listener.renew(identity) ? "certificate reloaded" : nil) { (error: SystemError) in
      Refusal(.system, "--tls-cert", "\(error)", "check whether the machine is out of memory or files")
    }
  }

  func parts(of control: BroadcasterControl, note: @escaping @Sendable (String) -> Void) -> ControlAPI.Parts {
    var parts = ControlAPI.Parts(
      events: control.history.events, status: LatestStatus { control.status().description })
    parts.authenticator = Authenticator(tokens?.verifier)
    parts.tokens = tokens
    parts.note = note
    return parts
  }

  var note: String? {
    listeners.first.map { listener in
      let isOpen = !listener.isLoopback && !listener.speaksTLS
      return
        "control it at \(listener.url)\(tokens == nil ? " as this user" : " with a token (holdfast token)")"
        + (isOpen ? "; tokens are sent unencrypted: use --tls-cert" : "")
    }
  }
}
