package import HoldfastMediaModel
package import HoldfastStores

extension RedisStore {
  package func revoke(
    _ tokens: [String: WallTime], limit: Int, needsReplica: Bool, at now: WallTime
  ) throws(StoreError) -> Bool {
    let pairs = tokens.sorted { $0.key < $1.key }.flatMap { [$0.key, "\($0.value.secondsRoundedUp)"] }
    let past = (now - RevokedTokens.slack).nanoseconds / 1_000_000_000
    let call = ScriptCall(.revoke, keys: [StoreKeys.revoked], ["\(limit)", "\(past)"] + pairs)
    return try verb(call) { reply, limit throws(RedisFailure) in
      if needsReplica, try understood(reply.number(2)) > 0 { try waitForReplica(until: limit) }
      return reply.word == ScriptAnswer.done
    }
  }

  package func revoked(after version: StoreVersion?) throws(StoreError) -> RevokedTokens? {
    let known = version.map { ["\($0.epoch)", "\($0.count)"] } ?? ["", ""]
    let call = ScriptCall(.revoked, keys: [StoreKeys.revoked], known)
    return try verb(call) { reply, _ throws(RedisFailure) in
      guard reply.word == ScriptAnswer.done else { return nil }
      return RevokedTokens(
        expiries: try understood(reply.expiries(3)),
        version: StoreVersion(epoch: try understood(reply.number(1)), count: try understood(reply.number(2))))
    }
  }
}

extension ScriptReply {
  /// Pairs of an id and a number of seconds.
  fileprivate func expiries(_ index: Int) -> [String: WallTime]? {
    pairs(index, key: { $0 }) { text in
      guard let seconds = Int64(text), (0...9_000_000_000).contains(seconds) else { return nil }
      return WallTime(nanoseconds: seconds * 1_000_000_000)
    }
  }
}

extension WallTime {
  /// So that nothing ends too early.
  fileprivate var secondsRoundedUp: Int64 {
    nanoseconds / 1_000_000_000 + (nanoseconds % 1_000_000_000 > 0 ? 1 : 0)
  }
}
