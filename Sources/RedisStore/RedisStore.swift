package import HoldfastMediaModel
package import HoldfastPlatform
package import HoldfastStores

/// A store of sessions in a Redis server, which any number of hubs share. Used by one thread at a time; a hub has several.
///
/// It connects with the first verb, and anew with the next one after the connection was lost. Each verb ends within the
/// time limit, or when `stop` is signalled.
package final class RedisStore: @unchecked Sendable {  // one thread at a time uses it
  private let address: RedisAddress
  private let tls: TLSSettings
  private let timeLimit: MediaTime
  private let stop: Wakeup
  let sessions: (any KnownSessions)?
  private var connection: RedisConnection?
  private var firstSentinel = 0
  /// Of the scripts, by which the server knows them.
  private var digests: [Script: String] = [:]
  /// Why the last attempt failed, and until when there is no other.
  private var failed: (trouble: StoreTrouble, until: MonotonicTime)?
  /// Nothing has been built yet on what this connection's server has.
  private var isHistoryUnchecked = true
  private(set) var knownEpoch: UInt64 = 0
  var scan = DueScan()

  /// For tests: the store's time instead of the server's.
  package var testTime: WallTime?

  package static let usualTimeLimit = MediaTime.seconds(2)
  /// A server that is away costs the time limit no more often.
  private static let pause = MediaTime.milliseconds(250)
  /// How often a verb begins anew because the epoch has changed meanwhile.
  private static let maxAttempts = 8

  package init(
    _ address: RedisAddress, tls: TLSSettings = TLSSettings(), timeLimit: MediaTime = usualTimeLimit,
    sessions: (any KnownSessions)? = nil, stop: Wakeup
  ) {
    self.sessions = sessions
    self.address = address
    self.tls = tls
    self.timeLimit = timeLimit
    self.stop = stop
  }
}

// MARK: - Scripts

extension RedisStore {
  /// Runs one verb within the time limit.
  func verb<Result>(
    _ body: (TimeLimit) throws(RedisFailure) -> Result
  ) throws(StoreError) -> Result {
    try mapError(body(TimeLimit(timeLimit))) { (error: RedisFailure) in StoreError.away(error.trouble) }
  }

  /// Runs a script and reads its reply.
  func verb<Result>(
    _ call: ScriptCall, _ read: (ScriptReply, TimeLimit) throws(RedisFailure) -> Result
  ) throws(StoreError) -> Result {
    try verb { limit throws(RedisFailure) in try read(run(call, until: limit), limit) }
  }

  /// Runs a script, in the store's epoch; returns its answer.
  func run(_ call: ScriptCall, until limit: TimeLimit) throws(RedisFailure) -> ScriptReply {
    for _ in 0..<Self.maxAttempts {
      let reply = try evaluate(call, until: limit)
      switch reply.word {
      case ScriptAnswer.epoch: try begin(until: limit)
      case ScriptAnswer.replica: throw lost(RedisFailure("READONLY", from: server))
      default:
        isHistoryUnchecked = false
        knownEpoch = max(knownEpoch, try understood(reply.number(1)))
        return reply
      }
    }
    throw .refusal(.failed("\(server) changes its replication id again and again"))
  }

  /// Begins the epoch of the server's history, unless another hub just has.
  private func begin(until limit: TimeLimit) throws(RedisFailure) {
    let call = ScriptCall(.begin, keys: [StoreKeys.changed, StoreKeys.scan])
    let reply = try evaluate(call, until: limit)
    guard reply.word == ScriptAnswer.done else { throw lost(RedisFailure("READONLY", from: server)) }
    knownEpoch = max(knownEpoch, try understood(reply.number(1)))
  }

  private func evaluate(_ call: ScriptCall, until limit: TimeLimit) throws(RedisFailure) -> ScriptReply {
    try connect(until: limit)
    let checks = call.script.checksHistory || isHistoryUnchecked
    let shared = ["\(knownEpoch)", testTime.map { "\($0.microseconds)" } ?? "", checks ? "1" : "0"]
    for _ in 0..<2 {
      if digests[call.script] == nil { try loadScripts(until: limit) }
      let digest = try understood(digests[call.script])
      let reply = try ask([call.command(digest: digest, shared)], until: limit)[0]
      guard case .error(let text) = reply else { return try understood(ScriptReply(reply)) }
      guard reply.errorCode == "NOSCRIPT" else { throw lost(RedisFailure(text, from: server)) }
      digests = [:]
    }
    throw .refusal(.failed("\(server) forgets scripts as soon as they are loaded"))
  }

  private func loadScripts(until limit: TimeLimit) throws(RedisFailure) {
    let scripts = Script.allCases
    let replies = try ask(scripts.map { ["SCRIPT", "LOAD", $0.source] }, until: limit)
    for (script, reply) in zip(scripts, replies) {
      if case .error(let text) = reply { throw lost(RedisFailure(text, from: server)) }
      digests[script] = reply.text
    }
  }

  /// What a server of another kind, or somebody else's value under our key, leaves nil.
  func understood<Value>(_ value: Value?) throws(RedisFailure) -> Value {
    guard let value else { throw lost(.unexpected(server)) }
    return value
  }
}

// MARK: - The connection

extension RedisStore {
  /// The server in words.
  var server: String { connection?.server.description ?? "\(address)" }

  /// Whether the connection that was used last is still there.
  func isConnected() -> Bool { connection?.isQuiet() == true }

  func ask(_ commands: [RedisCommand], until limit: TimeLimit) throws(RedisFailure) -> [RedisReply] {
    try connect(until: limit)
    do throws(RedisFailure) {
      // `connect` has just made sure of a connection.
      return try connection?.ask(commands, until: limit) ?? []
    } catch {
      throw lost(error)
    }
  }

  private func connect(until limit: TimeLimit) throws(RedisFailure) {
    if stop.isSignalled { throw lost(.connection(.lost("the hub is stopping"))) }
    // A server may close a connection that has long been idle, or was made before its restart.
    if isConnected() { return }
    connection = nil
    if let failed, failed.until > .now { throw .connection(failed.trouble) }
    do throws(RedisFailure) {
      connection = try RedisConnection.open(
        address, tls: tls, firstSentinel: &firstSentinel, until: limit, stop: stop)
    } catch {
      throw lost(error)
    }
    isHistoryUnchecked = true
    failed = nil
  }

  /// Closes the connection if the failure says so.
  func lost(_ failure: RedisFailure) -> RedisFailure {
    guard case .connection(let trouble) = failure else { return failure }
    connection = nil
    failed = (trouble, .now + Self.pause)
    return failure
  }
}

extension WallTime {
  /// Rounded up, so that nothing is due too early.
  var microseconds: Int64 { nanoseconds / 1000 + (nanoseconds % 1000 > 0 ? 1 : 0) }

  init?(microseconds text: String?) {
    guard let text, let count = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) }) else {
      return nil
    }
    let (nanoseconds, isTooLarge) = count.multipliedReportingOverflow(by: 1000)
    guard !isTooLarge else { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}
