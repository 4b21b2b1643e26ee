import HoldfastHTTP
package import HoldfastMediaModel
package import HoldfastMembership
package import HoldfastPlatform
package import HoldfastSession

/// A member of a session without a broadcast: somebody at a desk, or a program that steers.
///
/// Once it is in, it stays in: a hub that is away, and a store that has begun anew, are bridged.
package final class PersonLink: Sendable {
  package enum Report: Hashable, Sendable {
    case membership(MembershipReport)
    /// The session as it is: after each join, and after events were missed.
    case state(JSONValue)
    /// In the order that all members see.
    case event(HubEvent)
  }

  private let settings: MembershipMachine.Settings
  private let key: String?
  private let loop: EventLoop<MembershipMachine.Event>
  private let hub: HubConnections
  private let place: HubRequests.Place
  private let stop: Wakeup
  private let knowledge = Locked(PersonKnowledge())
  private let observe: @Sendable (Report) -> Void

  /// How soon a command is repeated that had no result.
  private static let repeatInterval = MediaTime.milliseconds(300)
  /// How long one attempt of a command takes at most.
  private static let attemptTimeout = MediaTime.seconds(4)

  /// Who has `key` is the same member as before; nil for a new one. `observe` is called on threads of the link.
  package init(
    _ settings: MembershipMachine.Settings, _ place: HubRequests.Place, key: String?,
    observe: @escaping @Sendable (Report) -> Void
  ) throws(SystemError) {
    var settings = settings
    (settings.kind, settings.wants) = (.person, [])
    (self.settings, self.key, self.place, self.observe) = (settings, key, place, observe)
    stop = try Wakeup()
    let (loop, knowledge) = (EventLoop<MembershipMachine.Event>(), self.knowledge)
    self.loop = loop
    let post: @Sendable (MembershipMachine.Event) -> Void = { event in
      if let report = knowledge.withLock({ $0.note(event) }) { observe(report) }
      loop.post(event)
    }
    hub = HubConnections(place: place, requests: try HubRequests(place, post: post), post: post)
  }

  /// Joins, and tries until it has.
  package func start() throws(SystemError) {
    loop.post(.started)
    try loop.start(name: "session") { [self] in
      let environment = PersonEnvironment(hub: hub, knowledge: knowledge, observe: observe) { [loop] in
        loop.post($0)
      }
      return MembershipLoop(
        driver: MembershipDriver(settings, record: key.map(MembershipRecord.init), environment),
        isAbandoned: { [stop] in stop.isSignalled })
    }
  }

  /// Leaves the session, within a short time. Blocks.
  package func finish() {
    loop.post(.broadcastEnded)
    loop.join()
    abandon()
  }

  /// Ends everything at once; the hub sees the member fall silent.
  package func abandon() {
    stop.signal()
    loop.post(.timePassed)
    loop.join()
    hub.requests.stop()
  }

  package func use(password: String) { loop.post(.passwordGiven(password)) }

  /// Gives a command and waits for its answer; repeats it while there is none. Blocks for at most `limit`, and a moment.
  package func perform(_ command: Session.CommandRequest, within limit: MediaTime) throws(HubFailure) {
    _ = try ask("POST", "commands", command.json, within: limit)
  }

  /// The session as it is now. Blocks like `perform`.
  package func state(within limit: MediaTime) throws(HubFailure) -> JSONValue {
    try ask("GET", "", nil, within: limit)
  }

  private func ask(
    _ method: String, _ path: String, _ body: JSONValue?, within limit: MediaTime
  ) throws(HubFailure) -> JSONValue {
    let deadline = MonotonicTime.now + limit
    var client = HubClient(place.address.origin, tls: place.tls, stop: stop)
    var last = HubFailure.refused(.notJoined)
    while true {
      switch knowledge.withLock({ $0.standing }) {
      case .out(let failure): throw failure ?? last
      // Joining again takes a moment.
      case .joining: break
      case .joined(let lease):
        do throws(HubFailure) {
          let request = hub.requests.request(method, path, lease: lease, body)
          return try client.send(request, within: Self.attemptTimeout)
        } catch {
          guard error.passes else { throw error }
          if error.isOldLease { knowledge.withLock { $0.lose(lease) } }
          last = error
        }
      }
      let next = MonotonicTime.now + Self.repeatInterval
      if next >= deadline || stop.wait(until: next) { throw last }
    }
  }
}

extension HubFailure {
  /// Whether the same request may have another result in a moment.
  fileprivate var passes: Bool { ["unreachable", "storeAway"].contains(code) || isOldLease }

  fileprivate var isOldLease: Bool { ["leaseOver", "leaseForged"].contains(code) }
}
