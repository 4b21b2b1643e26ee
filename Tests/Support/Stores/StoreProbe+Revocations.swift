import HoldfastMediaModel
import HoldfastSession
import HoldfastStores

extension StoreProbe {
  /// Of stores that several hubs share.
  mutating func checkRevoked() throws {
    guard let start = try store.revoked(after: nil) else { return }
    expect(start.expiries.isEmpty, "a new store has revoked tokens")
    // The hubs' clock, long behind the store's.
    var now = WallTime(nanoseconds: 1_000_000_000_000_000_000)
    func revoke(_ tokens: [String: WallTime], limit: Int = 10) throws -> Bool {
      try store.revoke(tokens, limit: limit, needsReplica: false, at: now)
    }
    let (soon, later) = (now + .seconds(60), now + .seconds(3600))
    expect(try revoke(["a": later, "b": soon]), "two tokens don't fit")
    let page = try store.revoked(after: start.version)
    expect(page?.expiries == ["a": later, "b": soon], "the revoked tokens are \(page?.expiries ?? [:])")
    expect(try store.revoked(after: page?.version) == nil, "what is known is news")
    expect(try revoke(["a": soon, "b": later]), "tokens that are known don't fit")
    let renewed = try store.revoked(after: nil)
    expect(renewed?.expiries == ["a": later, "b": later], "an earlier expiry has replaced a later one")
    _ = try revoke(["b": soon])
    expect(try store.revoked(after: renewed?.version) == nil, "nothing has changed, but there is news")
    expect(try !revoke(["c": later], limit: 2), "more tokens fit than there may be")
    expect(try revoke(["a": later + .seconds(1)], limit: 2), "a token that is known does not fit")
    expect(try store.revoked(after: nil)?.expiries.keys.sorted() == ["a", "b"], "a token too many is kept")

    now = now + .seconds(3599) + RevokedTokens.slack
    expect(try !revoke(["c": later + .seconds(9)], limit: 2), "tokens are forgotten too early")
    now = now + .seconds(1)
    expect(try revoke(["c": later + .seconds(9)], limit: 2), "tokens are never forgotten")
    expect(try store.revoked(after: nil)?.expiries.keys.sorted() == ["a", "c"], "the wrong ones are gone")

    let before = try store.revoked(after: nil)
    store.failOver()
    let after = try store.revoked(after: before?.version)
    expect(after?.expiries == before?.expiries, "a new epoch is no news, or has lost something")
  }
}
