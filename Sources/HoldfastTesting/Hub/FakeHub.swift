public import Holdfast
import HoldfastHTTP
import HoldfastHub
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import HoldfastTokens

/// A hub for one test, on a free port of this machine, with faults to order.
///
/// It serves real requests by the real rules; its sessions are in memory, and any number of them begin by being joined.
/// A fault is in effect when its method returns. The hub stops when it is released.
public final class FakeHub: Sendable {
  /// The media server that members publish to, as `stream(of:in:)`. It goes on while the hub is away.
  public let media: LocalServer
  /// The hub's port on 127.0.0.1.
  public let port: UInt16

  let store = SharedMemoryStore()
  let service: HubService
  let faults: HubFaults
  private let tokens: TokenIssuer
  private let requiresTokens: Bool
  private let running: Locked<HubServer?>

  /// The session of all methods that name none.
  public static let session = "Hall"

  /// Starts a hub. Without tokens, every program of this user may be host.
  public init(requiresTokens: Bool = false) throws(LocalServerError) {
    do {
      let secret = try TokenSecret(Array(hexadecimal(randomBytes(32)).utf8), from: "a fake hub")
      let keys = HubKeys(secret: CurrentSecret(secret))
      media = try LocalServer(admission: .keys(of: keys)) { _ in }
      let place = "rtmp://127.0.0.1:\(media.port)/live/{session}.{member}?key={key}"
      service = HubService(keys: keys, hasher: .plain, media: MediaAddresses(ingest: place, play: place))
      tokens = TokenIssuer(secret: secret, session: nil, revocations: Revocations(folder: "/nonexistent"))
      self.requiresTokens = requiresTokens
      let faults = try HubFaults()
      self.faults = faults
      let listener = try TCPListener(HostAndPort("127.0.0.1:0"))
      port = listener.port
      running = Locked(nil)
      try serve(listener)
    } catch {
      throw LocalServerError(error)
    }
  }

  deinit { stop() }

  /// The address of a session, for whoever joins it.
  public func url(_ session: String = FakeHub.session) -> String {
    let text = "http://127.0.0.1:\(port)"
    guard let origin = try? HTTPOrigin(text) else { return text }
    return HTTPAddress(origin: origin, name: session).description
  }

  /// A token that lasts an hour, for hubs that require one. Managers are made by the host, so it is a host's or a
  /// participant's.
  public func token(
    of name: String, isHost: Bool = true, in session: String = FakeHub.session
  ) throws(LocalServerError) -> String {
    let role = isHost ? Role.host : .participant
    let token = try mapError(
      tokens.make(for: name, role, in: session, lasting: .seconds(3600), at: .now), LocalServerError.init)
    return token.text
  }

  // MARK: - What has happened

  /// The names of the sessions that somebody is in, or was in a moment ago.
  public var sessions: [String] {
    var store = store
    let names = try? store.due(within: .seconds(366 * 86_400))
    return (names ?? []).filter { state($0.text) != nil }.map(\.text)
  }

  /// A session as it is; nil if there is none of this name.
  public func state(_ session: String = FakeHub.session) -> SessionState? {
    guard let loaded = load(session), loaded.session.meeting != nil else { return nil }
    return SessionState(loaded.state)
  }

  /// Waits until a session is as wanted; nil on timeout or cancellation.
  public func waitForSession(
    _ session: String = FakeHub.session, timeout: Duration = .seconds(60),
    until isEnough: @escaping @Sendable (SessionState) -> Bool
  ) async -> SessionState? {
    await poll(timeout) { state(session).flatMap { isEnough($0) ? $0 : nil } }
  }

  /// The requests of a kind that have arrived.
  public func count(_ request: Request) -> Int { faults.count(request) }

  /// Waits until so many requests of a kind have arrived; false on timeout or cancellation.
  public func waitForRequests(
    _ request: Request, count: Int, timeout: Duration = .seconds(60)
  ) async -> Bool {
    await poll(timeout) { self.count(request) >= count ? true : nil } ?? false
  }

  /// The name of a member's stream at `media`.
  public func stream(of member: String, in session: String = FakeHub.session) -> String? {
    guard let id = HoldfastSession.Session.Member.ID(member), let name = try? Self.name(session) else {
      return nil
    }
    return HubKeys.stream(HubKeys.digest(of: name), id)
  }

  func load(_ session: String) -> LoadedSession? {
    var store = store
    guard let name = try? Self.name(session) else { return nil }
    return try? store.load(name, asking: nil)
  }

  static func name(_ text: String) throws -> HoldfastSession.Session.Name {
    try HoldfastSession.Session.Name(text)
  }

  // MARK: - Running

  /// Ends all connections and closes the port, as a hub that has crashed; sessions remain.
  public func stop() {
    faults.cut()
    running.withLock { $0.take() }?.stop()
  }

  /// Listens on the same port again after `stop()`, with the same sessions.
  public func restart() throws(LocalServerError) {
    stop()
    try mapError(serve(TCPListener(HostAndPort("127.0.0.1:\(port)"))), LocalServerError.init)
  }

  private func serve(_ listener: TCPListener) throws {
    let faults = faults
    faults.uncut()
    var settings = HubServer.Settings()
    settings.tokens = requiresTokens ? tokens : nil
    settings.handler = { FaultyHandler(inner: $0, faults: faults) }
    let server = try HubServer(service, [listener], settings) { [store] in store }
    running.withLock { $0 = server }
  }
}

extension PasswordHasher {
  /// The memory of a process that tests needs no slow hash.
  fileprivate static let plain = PasswordHasher(
    hash: { HoldfastSession.Session.PasswordHash("plain \($0)") }, matches: { $1.text == "plain \($0)" })
}
