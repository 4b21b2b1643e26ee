public import Holdfast
import HoldfastHTTP
import HoldfastHub
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores

extension FakeHub {
  /// The requests of members.
  public enum Request: String, Hashable, Sendable, CaseIterable {
    case join, beat, leave, events
    case command = "commands"
    /// The state of a session.
    case state
  }

  /// Why a hub refuses a request, as in its answer.
  public enum Refusal: String, Hashable, Sendable, CaseIterable {
    case storeAway, leaseOver, superseded, sessionOver, removed, noSuchSession, locked, full, passwordNeeded
    case passwordWrong, notAllowed, noSuchMember, recovering
  }

  /// Refuses the next `count` requests of a kind; 0 refuses no more.
  public func refuseNext(_ request: Request, count: Int = 1, as refusal: Refusal) {
    faults.refuse(request, count: count, APIError(refusal.failure))
  }

  /// How long each answer takes from now on.
  public func delayAnswers(by delay: Duration) { faults.delay(by: MediaTime(delay)) }

  /// Ends the streams of events; members may open them again.
  public func disconnectStreams() {
    faults.cut()
    faults.uncut()
  }

  /// Begins a new epoch, as a store that may have forgotten something: all members have to join again.
  public func beginEpoch() { store.failOver() }

  /// Lets time pass for the sessions. Members keep beating meanwhile, except for those in `silent`.
  public func pass(_ length: Duration, silent: Set<String> = []) {
    var store = store
    let sessions = sessions.compactMap { try? Self.name($0) }
    // In one step, so that the hub never sees the time without the beats.
    try? store.forward { store throws(StoreError) in
      store.pass(MediaTime(length))
      for session in sessions {
        for member in try store.load(session, asking: nil).session.meeting?.present ?? []
        where !silent.contains(member.id.text) {
          if let lease = member.lease { _ = try store.beat(lease, statistics: nil, in: session) }
        }
      }
    }
    for session in sessions { _ = try? store.advance(session, contactSince: .init(nanoseconds: 0)) }
  }

  /// Gives a command with a host's rights, as somebody who has not joined: mutes or removes members, or ends a session.
  public func perform(_ command: SessionCommand, in session: String = FakeHub.session) throws(SessionError) {
    let request = try command.request(id: hexadecimal(randomBytes(8)))
    var store = store
    do throws(HubFailure) {
      guard let name = try? Self.name(session) else { throw .refused(.noSuchSession) }
      _ = try service.perform(
        request, in: name, by: .token(HoldfastSession.Session.Credential(.local)),
        newID: { hexadecimal(randomBytes(8)) }, in: &store)
    } catch {
      let error = APIError(error)
      throw SessionError(
        kind: .refused, code: error.code, what: error.message, hint: error.hint ?? "list the members")
    }
  }
}

extension FakeHub.Refusal {
  fileprivate var failure: HubFailure {
    switch self {
    case .storeAway: .store(.away(.lost("it was told to be away")))
    case .leaseOver: .refused(.leaseOver)
    case .superseded: .refused(.superseded)
    case .sessionOver: .refused(.sessionOver(.ended))
    case .removed: .refused(.removed)
    case .noSuchSession: .refused(.noSuchSession)
    case .locked: .refused(.locked)
    case .full: .refused(.full)
    case .passwordNeeded: .refused(.passwordNeeded)
    case .passwordWrong: .refused(.passwordWrong)
    case .notAllowed: .refused(.notAllowed(.lock))
    case .noSuchMember: .refused(.noSuchMember)
    case .recovering: .refused(.recovering)
    }
  }
}
