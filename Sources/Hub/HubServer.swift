package import HoldfastHTTP
import HoldfastMediaModel
import HoldfastMediaServer
package import HoldfastPlatform
package import HoldfastStores
package import HoldfastTokens

/// A hub: serves sessions that live in a store, until it is stopped.
package final class HubServer: Sendable {
  package enum Thread: Hashable, Sendable, CaseIterable { case requests, following, sweeping, metering }

  package struct Settings: Sendable {
    package var limits = HTTPLimits.ofHub
    package var proxies = TrustedProxies()
    /// Nil without a token secret: the local user alone is served.
    package var tokens: TokenIssuer?
    /// The media server inside the hub, if there is one.
    package var media: EmbeddedMedia?
    /// How members are played, where there is no such server.
    package var puller: TilePuller?
    /// Called with what an operator may want to know.
    package var note: @Sendable (String) -> Void = { _ in }
    /// Called at least every few seconds by each of its threads, as long as it makes progress.
    package var progressed: @Sendable (Thread) -> Void = { _ in }
    /// What answers the requests, given what would: a fake hub has its faults there.
    package var handler: @Sendable (any HTTPHandler) -> any HTTPHandler = { $0 }

    package init() {}
  }

  private let server: HTTPServer
  private let upkeep: Upkeep
  private let feeds: SessionFeeds
  private let tiles: MemberTiles

  /// Serves from now on. `stores` makes one for each thread.
  package init(
    _ service: HubService, _ listeners: [TCPListener], _ settings: Settings = Settings(),
    stores: @escaping @Sendable () -> any Store & Sendable
  ) throws(SystemError) {
    let readable = try Wakeup()
    let health = Locked(StoreHealth())
    let pool = StorePool { [note = settings.note] in
      watched(stores()) { trouble in
        if let text = health.withLock({ $0.note(writing: trouble) }) { note(text) }
      }
    }
    let revocations = settings.tokens?.revocations
    let gate = MediaGate(keys: service.keys) { token in
      // A list that can't be read ends no publish.
      (try? revocations?.contains(token)) == true
    }
    let revalidate: @Sendable () -> Void = { [media = settings.media] in media?.server.revalidate() }
    settings.media?.use(gate)
    feeds = SessionFeeds(readable: readable)
    let board = JobBoard()
    let observe: @Sendable (LoadedSession) -> Void = { loaded in
      if gate.take(loaded) { revalidate() }
      board.take(loaded.session)
    }
    upkeep = try Upkeep(
      Upkeep.Parts(
        stores: pool, feeds: feeds, revocations: revocations, learned: revalidate, note: settings.note,
        observe: observe, observed: { gate.names },
        observes: { board.isListening(at: .now) || gate.knows(HubKeys.digest(of: $0)) },
        observesAll: settings.media != nil, health: health, progressed: settings.progressed))
    let puller = settings.puller ?? settings.media?.puller ?? TilePuller(MediaAddresses())
    let tiles = MemberTiles(puller, service.keys) { readable.signal() }
    self.tiles = tiles
    let parts = HubParts(
      service: service, stores: pool, feeds: feeds, gate: gate, tiles: tiles, board: board, observe: observe,
      upkeep: upkeep, health: health, note: settings.note)
    let routes =
      HubRoutes(hub: parts).all + SessionRoutes(hub: parts).all
      + HubTokenRoutes(hub: parts, issuer: settings.tokens, revoked: revalidate, note: settings.note).all
      + [IngestRoute(hub: parts).route] + HubRoutes.page
    let api = HubAPI(
      authenticator: Authenticator(settings.tokens?.verifier), proxies: settings.proxies,
      router: Router(routes),
      note: settings.note,
      refused: { [upkeep, note = settings.note] request in
        if request.mayRenewLease { upkeep.noteLostBeat() }
        if let text = parts.overload.add(at: .now) { note(text) }
      })
    server = try HTTPServer(
      nil, listeners: listeners, wakeup: readable, tcpLimits: settings.limits,
      formPaths: [IngestRoute.path],
      progressed: {
        tiles.endIdle(at: .now)
        settings.progressed(.requests)
      },
      handler: settings.handler(api))
  }

  /// Tells streams to come again, and answers what has arrived.
  package func stop() {
    feeds.sayGoodBye(retryAfter: .seconds(1))
    server.stop()
    tiles.stop()
    upkeep.stop()
  }
}

private func watched(
  _ store: some Store & Sendable, note: @escaping @Sendable (StoreError?) -> Void
) -> any Store & Sendable {
  WatchedStore(target: store, note: note)
}

extension HTTPLimits {
  /// A burst of beats waits for a second rather than being repeated.
  fileprivate static let ofHub: HTTPLimits = {
    var limits = HTTPLimits.tcp
    limits.pending = 2048
    return limits
  }()
}
