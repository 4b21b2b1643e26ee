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
    let place = "--listen \(shown(listen))"
    guard settings.tlsKey == nil || settings.tlsCert != nil else {
      throw Refusal(
        .usage, "--tls-key", "a key without its certificate", "name the certificate with --tls-cert")
    }
    do {
      let identity = try settings.tlsCert.map { certificate in
        try TLSIdentity(certificateFile: certificate, keyFile: settings.tlsKey ?? certificate)
      }
      let listener = try TCPListener(try ControlAddress(listen), identity: identity)
      guard listener.isLoopback || tokens != nil else {
        throw Refusal(
          .usage, place, "anybody who reaches that address could steer the broadcast",
          "name a secret with --token-secret FILE (holdfast token --new-secret FILE makes one), or listen on 127.0.0.1"
        )
      }
      listeners = [listener]
    } catch let refusal as Refusal {
      throw refusal
    } catch let error as ControlAddressError {
      throw Refusal(.usage, place, error.what, error.hint ?? "choose another address")
    } catch let error as TLSIdentityError {
      throw Refusal(
        .notFound, "--tls-cert", error.what, error.hint ?? "see that certificate and key belong together")
    } catch {
      throw Refusal(.system, place, "\(error)", "see whether the machine is out of files")
    }
  }

  private static func tokens(
    _ path: String, session: String, _ environment: [String: String]
  ) throws(Refusal) -> TokenIssuer {
    let place = "--token-secret \(shown(path))"
    do {
      return TokenIssuer(
        secret: try TokenSecret(contentsOf: path), session: session,
        revocations: try Revocations(session: session, environment: environment))
    } catch let error as TokenFileError {
      throw Refusal(error, naming: place)
    } catch {
      throw Refusal(
        .system, place, "\(error)", "see where the state of this program is kept (XDG_STATE_HOME)")
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
        + (isOpen ? "; tokens cross the network in clear: --tls-cert changes that" : "")
    }
  }
}
