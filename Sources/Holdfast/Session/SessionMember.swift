import HoldfastMediaModel
import HoldfastMembership
import HoldfastPlatform
import HoldfastSession
import HoldfastSessionClient

/// A member of a session without a broadcast of its own: it sees what happens, and steers as far as its role allows.
///
/// It works on threads of its own; no method blocks the calling thread. Once joined it stays in the session by itself,
/// also when the hub is away for a while. Released without `leave()`, it falls silent and is gone 20 s later.
public final class SessionMember: Sendable {
  /// How it is with a member.
  public enum State: Hashable, Sendable {
    /// Not joined yet.
    case idle
    case joining
    case joined(id: String, SessionState.Role)
    /// Not in the session, or without its hub; it is tried on.
    case waiting(SessionError)
    /// Out for good: somebody has joined with the same key.
    case superseded
    /// The session was ended for all, or its time is over. Nil if the hub did not say why.
    case over(SessionEvent.Ending?)
    case left

    var isLast: Bool {
      switch self {
      case .idle, .joining, .joined, .waiting: false
      case .superseded, .over, .left: true
      }
    }
  }

  private let link: PersonLink
  private let progress: MemberProgress

  /// Within which time a command is answered, or fails.
  private static let limit = MediaTime.seconds(10)

  /// Validates `settings`; joins nothing yet.
  public init(_ settings: SessionSettings) throws(ConfigurationError) {
    let (place, machine) = try settings.checked(as: nil, property: "")
    let progress = MemberProgress()
    self.progress = progress
    do throws(SystemError) {
      link = try PersonLink(machine, place, key: settings.memberKey) { progress.take($0) }
    } catch {
      throw ConfigurationError(
        properties: ["url"], what: "\(error)", hint: "check whether the machine is out of threads")
    }
  }

  deinit { link.abandon() }

  /// Joins the session, and returns once the member is in it; throws what keeps it out. A member joins once.
  public func join() async throws(SessionError) {
    guard progress.begin() else {
      throw SessionError(
        kind: .notJoined, code: "notPossible", what: "the member has joined before", hint: "make another one")
    }
    do { try link.start() } catch { throw .system("\(error)") }
    let state: State = try await run { [progress] in progress.verdict() }
    if case .joined = state { return }
    try await run { [link] in link.finish() }
    progress.finish(as: state)
    throw state.error
  }

  /// Gives a command, and returns once it is done; throws if it is refused. It is repeated while the hub is away, for
  /// about 10 s, and counts once.
  public func perform(_ command: SessionCommand) async throws(SessionError) {
    let request = try command.request(id: hexadecimal(randomBytes(8)))
    let result: Result<Void, HubFailure> = try await run { [link] in
      Result { () throws(HubFailure) in try link.perform(request, within: Self.limit) }
    }
    do { try result.get() } catch { throw SessionError(error) }
  }

  /// The session as it is now, as the hub says.
  public func session() async throws(SessionError) -> SessionState {
    let result: Result<JSONValue, HubFailure> = try await run { [link] in
      Result { () throws(HubFailure) in try link.state(within: Self.limit) }
    }
    do {
      if let state = SessionState(try result.get()) { return state }
    } catch {
      throw SessionError(error)
    }
    throw SessionError(HubFailure.unreachable("its answer is not a session's state"))
  }

  /// Leaves the session, within about 3 s; event streams end. Without a hub it is gone 20 s later.
  public func leave() async {
    try? await run { [link] in link.finish() }
    progress.finish(as: .left)
  }

  /// Uses another password from the next attempt to join on, which comes soon if one was missing or wrong.
  public func use(password: String) { link.use(password: password) }

  /// A new stream of all events from now on, in order; call it before `join()` to miss none. It buffers the newest 1000
  /// unread events, and ends with the membership.
  public func events() -> AsyncStream<SessionEvent> { progress.events() }

  /// How it is with the member now.
  public var state: State { progress.state }

  /// The id in the session; nil while the member is not in it.
  public var id: String? {
    guard case .joined(let id, _) = state else { return nil }
    return id
  }

  private func run<Answer: Sendable>(
    _ body: @escaping @Sendable () -> Answer
  ) async throws(SessionError) -> Answer {
    do { return try await onThread("session-command", body) } catch { throw .system("\(error)") }
  }
}

extension SessionMember.State {
  /// Why a member with this state is not in.
  fileprivate var error: SessionError {
    switch self {
    case .waiting(let error): error
    case .over(let ending):
      SessionError(HubFailure.refused(HubRefusal(.sessionOver(.init(as: ending ?? .ended)))))
    case .superseded: SessionError(HubFailure.refused(HubRefusal(.superseded)))
    case .idle, .joining, .joined, .left:
      SessionError(
        kind: .notJoined, code: "notInSession", what: "the member has left", hint: "make another one")
    }
  }
}

extension SessionError {
  fileprivate static func system(_ what: String) -> SessionError {
    SessionError(
      kind: .system, code: "system", what: what, hint: "check whether the machine is out of threads")
  }
}
