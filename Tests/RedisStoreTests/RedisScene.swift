import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession
import HoldfastStores
import TestSupport

@testable import HoldfastRedisStore

/// A server of a test's own, and stores in it.
struct RedisScene {
  let folder: ScratchFolder
  let server: RedisServer
  let stop: Wakeup
  let hall: Session.Name

  init(options: [String] = []) throws {
    folder = ScratchFolder()
    server = try RedisServer(in: folder, options: options)
    stop = try Wakeup()
    hall = try Session.Name("Hall")
  }

  /// Generous, for a busy machine: a test of a limit names its own.
  func store(
    _ address: String? = nil, tls: TLSSettings = TLSSettings(), timeLimit: MediaTime = .seconds(20)
  ) throws -> RedisStore {
    let address = try RedisAddress(address ?? "redis://127.0.0.1:\(server.port)")
    return RedisStore(address, tls: tls, timeLimit: timeLimit, stop: stop)
  }
}

let longAgo = WallTime(nanoseconds: 0)

extension Store {
  /// A host joins; returns its lease.
  @discardableResult
  mutating func join(_ name: Session.Name, _ key: String = "anna", number: Int = 1) throws -> Session.Lease? {
    let digits = padded(Int64(number), 4)
    guard let id = Session.Member.ID("aaaaaaaaaaaa" + digits) else { return nil }
    let join = Session.Join(key: key, name: try Session.DisplayName(key), kind: .box, id: id)
    _ = try perform(in: name, by: host(key)) { _ in .join(join) }
    return try load(name, asking: nil).session.meeting?[id]?.lease
  }

  /// The host commands; what is committed is returned, or what came in between.
  mutating func commit(
    _ command: Session.Command, in name: Session.Name, request: StoreRequest? = nil
  ) throws -> CommitResult {
    let loaded = try load(name, asking: nil)
    var session = loaded.session
    let events = try session.apply(command, by: host("local"), at: loaded.now).get()
    return try commit(
      StoreCommit(loaded, becomes: session, events: events, request: request, answer: "done", due: nil))
  }

  /// Locks the session, or unlocks it where it is locked.
  mutating func toggle(_ name: Session.Name, request: StoreRequest? = nil) throws -> CommitResult {
    let isLocked = try load(name, asking: nil).session.meeting?.isLocked == true
    return try commit(isLocked ? .unlock : .lock, in: name, request: request)
  }
}

func host(_ token: String) -> Session.Caller { .token(Session.Credential(.host, token: token)) }

/// Why a verb found the store away; nil if it did not.
func trouble<Result>(_ verb: () throws -> Result) -> StoreTrouble? {
  do {
    _ = try verb()
    return nil
  } catch {
    guard case .away(let trouble)? = error as? StoreError else {
      return .failed("no error of a store: \(error)")
    }
    return trouble
  }
}

extension StoreTrouble {
  var isLost: Bool { if case .lost = self { true } else { false } }
  var isFull: Bool { if case .full = self { true } else { false } }
  var isReadOnly: Bool { if case .readOnly = self { true } else { false } }
  var isFailed: Bool { if case .failed = self { true } else { false } }
}
