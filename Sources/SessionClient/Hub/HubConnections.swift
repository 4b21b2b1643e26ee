import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastSession

/// The connections of one member to its hub: one for its requests, and its stream of events.
struct HubConnections: Sendable {
  let place: HubRequests.Place
  let requests: HubRequests
  let post: @Sendable (MembershipMachine.Event) -> Void
  /// Events of streams that were posted and not handled yet.
  private let unread = Locked(0)
  /// The newest; it may have ended by itself, which only its events tell.
  private(set) var stream: (number: Int, stream: HubStream)?

  mutating func openStream(_ number: Int, lease: String, after event: String, silence: MediaTime) {
    closeStream()
    do throws(SystemError) {
      stream = (
        number,
        try HubStream(
          number, requests.events(lease: lease, after: event), at: place, silence: silence,
          unread: unread, post: post)
      )
    } catch {
      post(.streamClosed(number, .unreachable("\(error)")))
    }
  }

  func noteHandled(_ event: MembershipMachine.Event) {
    if case .streamed = event { unread.withLock { $0 -= 1 } }
  }

  mutating func closeStream(_ number: Int) { if stream?.number == number { closeStream() } }

  /// Also of a stream that has ended its thread and its descriptors are kept until then.
  mutating func closeStream() { stream.take()?.stream.close() }
}

/// A member behind real connections.
protocol ConnectedEnvironment: MembershipEnvironment {
  var hub: HubConnections { get set }
  /// What the machine has handled.
  mutating func note(_ event: MembershipMachine.Event)
}

extension ConnectedEnvironment {
  func note(_ event: MembershipMachine.Event) {}

  mutating func send(_ number: Int, _ request: MembershipMachine.Request, within limit: MediaTime) {
    hub.requests.send(number, request, within: limit)
  }

  mutating func openStream(_ number: Int, lease: String, after event: String, silence: MediaTime) {
    hub.openStream(number, lease: lease, after: event, silence: silence)
  }

  mutating func closeStream(_ number: Int) { hub.closeStream(number) }

  mutating func changeHub() { hub.requests.reconnect() }
}

/// The driver of a membership, on its own thread.
struct MembershipLoop<Environment: ConnectedEnvironment>: Driver {
  var driver: MembershipDriver<Environment>
  /// Ends it at once, without leaving.
  var isAbandoned: @Sendable () -> Bool = { false }

  /// Once the stream is closed, too.
  private(set) var isFinished = false

  var nextDeadline: MonotonicTime? { driver.nextDeadline }

  mutating func handle(_ event: MembershipMachine.Event, at now: Instant) {
    driver.handle(event, at: now)
    driver.withEnvironment { environment in
      environment.hub.noteHandled(event)
      environment.note(event)
    }
    finish()
  }

  mutating func fireTimers(at now: Instant) {
    driver.fireTimers(at: now)
    finish()
  }

  private mutating func finish() {
    guard driver.isFinished || isAbandoned() else { return }
    driver.withEnvironment { $0.hub.closeStream() }
    isFinished = true
  }

  func wait(
    for inbox: Inbox<MembershipMachine.Event>, until deadline: MonotonicTime?
  ) -> MembershipMachine.Event? {
    inbox.take(until: deadline)
  }
}
