import HoldfastBroadcasting
import HoldfastControl
import HoldfastMediaModel
import HoldfastPlatform

/// The network access to a broadcast's control, and its tokens.
struct ControlAccess {
  let listeners: [TCPListener]
  let tokens: TokenIssuer?

  /// Opens the port at once, to reserve it.
  init(_ settings: ProgramSettings, environment: [String: String]) throws(Refusal) {
    tokens = try settings.tokenSecret.map { (path) throws(Refusal) in
      try Self.tokens(path, session: settings.broadcast.name, environment)
    }
    guard let listen = settings.listen else {
      listeners = []
      return
    }
    let subject = "--listen \(shown(listen))"
    guard settings.tlsKey == nil || settings.tlsCert != nil else {
      throw Refusal(
        .usage, "--tls-key", "a key without a certificate", "add its certificate with --tls-cert")
    }
    let identity = try Self.identity(settings)
    let listener: TCPListener
    do throws(InvalidValue) {
      listener = try TCPListener(try ControlAddress(listen), identity: identity)
    } catch {
      throw Refusal(.usage, subject, error, hint: "choose another address")
    }
    guard listener.isLoopback || tokens != nil else {
      throw Refusal(
        .usage, subject, "anyone who reaches that address could control the broadcast",
        "set --token-secret FILE (created by holdfast token --new-secret FILE), or listen on 127.0.0.1")
    }
    listeners = [listener]
  }

  private static func identity(_ settings: ProgramSettings) throws(Refusal) -> TLSIdentity? {
    guard let certificate = settings.tlsCert else { return nil }
    do throws(InvalidValue) {
      return try TLSIdentity(certificateFile: certificate, keyFile: settings.tlsKey ?? certificate)
    } catch {
      throw Refusal(.notFound, "--tls-cert", error, hint: "check that the certificate and the key match")
    }
  }

  private static func tokens(
    _ path: String, session: String, _ environment: [String: String]
  ) throws(Refusal) -> TokenIssuer {
    let subject = "--token-secret \(shown(path))"
    do {
      return TokenIssuer(
        secret: try TokenSecret(contentsOf: path), session: session,
        revocations: try Revocations(session: session, environment: environment))
    } catch let error as TokenFileError {
      throw Refusal(error, naming: subject)
    } catch {
      throw Refusal(
        .system, subject, "\(error)", "check the state folder of this program (XDG_STATE_HOME)")
    }
  }

  func parts(
    of control: BroadcasterControl, note: @escaping @Sendable (String) -> Void
  ) -> ControlAPI.Parts {
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
