import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform

/// A broadcast's membership of a session: a thread that decides, and the connections to the hub.
final class BoxMembership: Sendable {
  private let loop = EventLoop<MembershipMachine.Event>()
  private let requests = Locked<HubRequests?>(nil)
  private let sounds = Locked<SoundReports?>(nil)
  private let id: Locked<String>

  init(of broadcast: String) {
    id = Locked(broadcast)
    loop.post(.started)
  }

  /// The broadcast's id. A preview's membership becomes that of the broadcast that begins.
  var broadcast: String { id.withLock { $0 } }

  func go(on broadcast: String) {
    id.withLock { $0 = broadcast }
    loop.post(.broadcastRenewed)
  }

  /// Joins. `makeDriver` runs on the membership's thread; `listen` is a `SoundReports`'.
  func start(
    at place: HubRequests.Place, listen: @escaping @Sendable () -> [Double],
    _ makeDriver:
      @escaping @Sendable (HubConnections, SoundReports) -> MembershipLoop<SystemMembershipEnvironment>
  ) throws(SystemError) {
    let post: @Sendable (MembershipMachine.Event) -> Void = { [loop] in loop.post($0) }
    do throws(SystemError) {
      let requests = try HubRequests(place, post: post)
      self.requests.withLock { $0 = requests }
      let sounds = try SoundReports(to: place, requests, listen: listen)
      self.sounds.withLock { $0 = sounds }
      try loop.start(name: "session") {
        makeDriver(HubConnections(place: place, requests: requests, post: post), sounds)
      }
    } catch {
      // What is asked for on the box is then done without a session.
      loop.inbox.close()
      throw error
    }
  }

  /// False once the membership is over.
  @discardableResult func post(_ event: MembershipMachine.Event) -> Bool { loop.post(event) }

  /// Leaves the session, within a short time.
  func finish() {
    loop.post(.broadcastEnded)
    loop.join()
    sounds.withLock { $0.take() }?.stop()
    requests.withLock { $0.take() }?.stop()
  }
}
