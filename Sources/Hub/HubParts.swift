import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
package import HoldfastStores

/// What the routes of a hub share.
struct HubParts: Sendable {
  let service: HubService
  let stores: StorePool
  let feeds: SessionFeeds
  let gate: MediaGate
  let tiles: MemberTiles
  let board: JobBoard
  let guesses = PasswordGuesses()
  let overload = OverloadRefusals()
  /// Told of a session as it is now.
  let observe: @Sendable (LoadedSession) -> Void
  let upkeep: Upkeep
  let health: Locked<StoreHealth>
  let note: @Sendable (String) -> Void
  /// Sessions that people know can't be read.
  private let unreadable = Locked<Set<Session.Name>>([])

  /// Runs with a store, and lets readers here know at once.
  func act<Result>(
    changes: Bool = true, _ body: (inout any Store & Sendable) throws(HubFailure) -> Result
  ) throws(APIError) -> Result {
    defer { if changes { upkeep.noteChange() } }
    return try mapError(stores.with(body)) { (failure: HubFailure) in APIError(failure) }
  }

  /// The session as it is now.
  func load(_ name: Session.Name) throws(APIError) -> LoadedSession {
    try act(changes: false) { store throws(HubFailure) in try service.load(name, in: &store) }
  }

  /// Told once of each.
  func noteUnreadable(_ name: Session.Name, _ error: Session.FormError) {
    guard unreadable.withLock({ $0.insert(name).inserted }) else { return }
    note("the session \(name.text) can't be read, and is not listed: \(error.reason)")
  }

  /// Finds the session of a stream that was never heard of here; a store that is away is not waited for twice.
  func learn(ofStream stream: String) {
    let session = String(stream.prefix { $0 != "." })
    guard !gate.hasHeard(of: session), trouble == nil else { return }
    let year = MediaTime.seconds(366 * 86_400)
    try? stores.with { store throws(StoreError) in
      for name in try store.due(within: year) where HubKeys.digest(of: name) == session {
        _ = gate.take(try store.load(name, asking: nil))
      }
    }
  }

  /// Nil while the store answers, and takes what changes.
  var trouble: StoreError? { health.withLock { $0.trouble } }

  var metrics: PrometheusText {
    var page = PrometheusText()
    page.add(
      "holdfast_hub_store_up", .gauge, "Whether the store answers, and takes changes.", trouble == nil ? 1 : 0
    )
    page.add(
      "holdfast_hub_read_sessions", .gauge, "Sessions whose events somebody reads here.",
      Double(feeds.all.count))
    page.add(
      "holdfast_hub_event_streams", .gauge, "Readers of events here.",
      Double(feeds.all.reduce(0) { $0 + $1.readers }))
    page.add(
      "holdfast_hub_read_members", .gauge, "Members of the sessions that somebody reads here.",
      Double(feeds.all.reduce(0) { $0 + ($1.latest.session.meeting?.members.count ?? 0) }))
    page.add(
      "holdfast_hub_tiles", .gauge, "Streams of members that are pulled for viewers here.",
      Double(tiles.count))
    page.add(
      "holdfast_hub_wrong_passwords_total", .counter, "Joins with a wrong password.", Double(guesses.count))
    page.add(
      "holdfast_hub_refused_requests_total", .counter, "Requests for which there was no room.",
      Double(overload.count))
    return page
  }
}

/// The stores of a hub's threads, each used by one at a time. A store may be a connection; all show the same sessions.
package final class StorePool: Sendable {
  private let make: @Sendable () -> any Store & Sendable
  private let idle = Locked<[any Store & Sendable]>([])

  package init(_ make: @escaping @Sendable () -> any Store & Sendable) { self.make = make }

  package func with<Result, Failure: Error>(
    _ body: (inout any Store & Sendable) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var store = idle.withLock { $0.popLast() } ?? make()
    defer { idle.withLock { [store] in $0.append(store) } }
    return try body(&store)
  }
}
