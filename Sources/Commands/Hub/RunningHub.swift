import HoldfastHTTP
import HoldfastHub
import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform
import HoldfastRedisStore
import HoldfastSQLiteStore
import HoldfastSession
import HoldfastStores
import HoldfastTokens

/// A hub with all that its settings ask for.
final class RunningHub: Sendable {
  private let settings: HubSettings
  private let listener: TCPListener
  private let media: EmbeddedMedia?
  private let server: HubServer
  private let file: SQLiteStore?
  private let storesStop: Wakeup

  /// Serves from now on, and says where. `note` gets lines for people, `progressed` the threads that make progress.
  init(
    _ settings: HubSettings, environment: [String: String], note: @escaping @Sendable (String) -> Void,
    progressed: @escaping @Sendable (HubServer.Thread) -> Void
  ) throws {
    self.settings = settings
    let folder = try Self.folder(environment)
    let identity = try settings.certificate?.read()
    let listener = try Self.listener(settings, identity)
    self.listener = listener
    let tokens = try settings.tokenSecret.map { (path) throws(Refusal) in
      TokenIssuer(
        secret: try TokenSecret(file: path, named: "--token-secret"), session: nil,
        revocations: Revocations(folder: folder))
    }
    let secret = try tokens?.secret ?? CurrentSecret(Self.ownSecret(in: folder))
    let storesStop = try Wakeup()
    self.storesStop = storesStop
    let stores: @Sendable () -> any Store & Sendable
    let sessions = SessionCache()
    switch settings.store {
    case .file:
      let path = try Self.file(of: settings, environment)
      let store = try mapError(SQLiteStore.open(path, sessions: sessions)) { (error: SQLiteStoreError) in
        Refusal(error, naming: "--store \(shown(path))")
      }
      file = store
      stores = { store }
    case .redis(let address):
      file = nil
      let tls = settings.storeTLS
      stores = { RedisStore(address, tls: tls, sessions: sessions, stop: storesStop) }
      try Self.check(stores(), naming: "--store \(address)")
    }
    let (media, addresses) = try Self.media(settings, identity, listener, note)
    self.media = media
    var server = HubServer.Settings()
    server.proxies = settings.proxies
    server.tokens = tokens
    server.media = media
    if media == nil { server.puller = TilePuller(addresses) }
    server.note = note
    server.progressed = progressed
    if let connections = settings.connections {
      server.limits.connections = connections
      server.limits.connectionsPerAddress = connections
      server.limits.streams = connections - connections / 32
    }
    let service = HubService(
      keys: HubKeys(secret: secret), media: addresses, anyoneCreates: settings.anyoneCreates,
      cache: sessions)
    self.server = try HubServer(service, [listener], server, stores: stores)
    for line in lines(addresses, hasTokens: tokens != nil) { note(line) }
  }

  private func lines(_ addresses: MediaAddresses, hasTokens: Bool) -> [String] {
    var lines = [
      "serving sessions at \(settings.publicOrigin.map { $0 + "/" } ?? listener.url)NAME"
        + (hasTokens ? " with a token (holdfast token)" : ", for this user of this machine only")
    ]
    if let media {
      lines.append("members publish to \(media.server.url("")), by keys that the hub gives them")
    }
    if media == nil, !addresses.hasIngest { lines.append("members publish to their own outputs alone") }
    if !listener.isLoopback, !listener.speaksTLS {
      lines.append(
        "WARNING: without TLS, tokens, passwords and keys cross the network in clear (--insecure-lan)")
    }
    return lines
  }

  /// Reads the certificate again; a line for people.
  func reload() -> String {
    do {
      guard let identity = try settings.certificate?.read() else {
        return "nothing to reload: there is no certificate"
      }
      let isNew = try listener.renew(identity)
      _ = try media?.server.renew(identity)
      return isNew ? "certificate reloaded" : "the certificate is the same as before"
    } catch {
      return "the certificate was not reloaded: \(error)"
    }
  }

  /// Tells members to come again, and leaves the store to the next hub.
  func stop() {
    server.stop()
    storesStop.signal()
    media?.stop()
    file?.close()
  }
}

// MARK: - Parts

extension RunningHub {
  private static func folder(_ environment: [String: String]) throws(Refusal) -> String {
    guard let folder = StateFolder.path(environment).map({ $0 + "/hub" }) else {
      throw Refusal(.system, "hub", "there is no state folder", "set XDG_STATE_HOME to a folder of this user")
    }
    try mapError(createDirectory(folder, permissions: 0o700)) { (error: SystemError) in
      Refusal(.disk, shown(folder), error.reason, "choose a writable folder by XDG_STATE_HOME")
    }
    return folder
  }

  /// The path of the SQLite file.
  static func file(of settings: HubSettings, _ environment: [String: String]) throws(Refusal) -> String {
    if case .file(let path?) = settings.store { return path }
    return try folder(environment) + "/sessions.sqlite"
  }

  /// A server that is away may come; one of the wrong kind has to be seen to.
  private static func check(_ store: any Store, naming subject: String) throws(Refusal) {
    var store = store
    do throws(StoreError) {
      _ = try store.load(.clock, asking: nil)
    } catch .away(.failed(let reason)) {
      throw Refusal(.configuration, subject, reason, nil)
    } catch {}
  }

  /// What signs leases where there is no token secret: made once, as members keep what it has signed.
  private static func ownSecret(in folder: String) throws(Refusal) -> TokenSecret {
    let path = folder + "/secret"
    do throws(TokenFileError) {
      if !fileExists(path) { try TokenSecret.makeFile(path) }
    } catch {
      throw Refusal(error, naming: shown(path))
    }
    return try TokenSecret(file: path, named: "the hub's own secret")
  }

  private static func listener(
    _ settings: HubSettings, _ identity: TLSIdentity?
  ) throws(Refusal) -> TCPListener {
    let subject = "--listen \(shown(settings.listen))"
    let address = try valid(HostAndPort(settings.listen), for: subject)
    let listener = try valid(
      TCPListener(address, identity: identity, sendsHSTS: settings.hsts, publicOrigin: settings.publicOrigin),
      for: subject, .system, hint: "choose another address")
    guard listener.isLoopback || settings.tokenSecret != nil else {
      throw Refusal(
        .usage, subject, "anyone who reaches that address could steer the sessions",
        "set --token-secret FILE (created by holdfast token --new-secret FILE), or listen on 127.0.0.1")
    }
    guard listener.isLoopback || listener.speaksTLS || settings.isInsecure else {
      throw Refusal(
        .usage, subject, "without TLS, tokens and passwords would cross the network in clear",
        "add --tls-cert, put a proxy before 127.0.0.1, or say --insecure-lan")
    }
    return listener
  }

  private static func media(
    _ settings: HubSettings, _ identity: TLSIdentity?, _ listener: TCPListener,
    _ note: @escaping @Sendable (String) -> Void
  ) throws(Refusal) -> (EmbeddedMedia?, MediaAddresses) {
    guard case .embedded(let port, let name) = settings.media else {
      guard case .elsewhere(let addresses) = settings.media else { return (nil, MediaAddresses()) }
      return (nil, addresses)
    }
    let host = try mediaHost(settings, named: name, listener)
    var configuration = MediaServer.Configuration()
    configuration.host = listener.host
    configuration.port = port
    configuration.anyPortIfTaken = true
    configuration.identity = identity
    configuration.maxConnections = 1000
    do {
      let media = try EmbeddedMedia(configuration) { event in
        if let line = event.hubLine { note(line) }
      }
      return (media, media.addresses(host: host))
    } catch {
      throw Refusal(
        .system, "--media-port \(port)", "the media server can't start: \(error)",
        "choose another port, or --media-port off")
    }
  }

  /// The name by which members reach the media server, which listens where the hub does.
  private static func mediaHost(
    _ settings: HubSettings, named name: String?, _ listener: TCPListener
  ) throws(Refusal) -> String {
    if let name { return name }
    let isEveryAddress = ["0.0.0.0", "::", "[::]"].contains(listener.host)
    guard let publicHost = listener.publicHost else {
      guard !isEveryAddress else {
        throw Refusal(
          .usage, "--listen \(shown(listener.host))", "members can't publish to that address",
          "say by which name they reach this hub: --public-url https://NAME, or --media-name NAME")
      }
      return listener.host
    }
    let isHere = settings.publicOrigin.flatMap { try? HTTPOrigin($0, insecureLAN: true) }?.isLoopback
    guard !listener.isLoopback || isHere == true else {
      throw Refusal(
        .usage, "--public-url",
        "members can't publish there: the media server inside the hub listens on loopback only",
        "add --ingest PATTERN or --media-port off, or --media-name NAME if its port is forwarded")
    }
    return publicHost
  }
}

extension MediaServer.Event {
  /// What an operator of a hub wants to see of its media server. Streams are named by digests, so that it tells little.
  fileprivate var hubLine: String? {
    switch self {
    case .publishing(let stream, _, let peer, _): "\(stream): \(peer) is publishing"
    case .ended(let report, .unpublished), .ended(let report, .disconnected):
      "\(report.name): the publish has ended"
    case .ended(let report, let reason): "\(report.name): the publish was ended: \(reason.statusText)"
    case .cutOff(let peer, let reason): "\(peer) was disconnected: \(reason)"
    case .refused(let peer, let stream, let refusal):
      (stream.map { "\($0): " } ?? "") + "\(peer) refused: \(refusal.rawValue)"
    case .listening, .arrived, .data, .recorded, .movedAside, .recordingFailed, .playing, .skipped,
      .playerLeft, .certificateRenewed, .stopped:
      nil
    }
  }
}

extension Refusal {
  init(_ error: SQLiteStoreError, naming subject: String) {
    let status: ExitStatus =
      switch error.kind {
      case .inUse: .configuration
      case .missing: .notFound
      case .foreign, .newer, .foreignLog, .exists: .refused
      case .system: .disk
      }
    self.init(status, subject, error.what, error.hint)
  }
}
