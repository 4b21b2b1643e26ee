package import HoldfastMediaModel
package import HoldfastStores
package import HoldfastTokens

/// Learns from the store which tokens other hubs have revoked, and tells it what it has forgotten.
package struct RevocationExchange: Sendable {
  private let revocations: Revocations
  private let learned: @Sendable () -> Void
  private var version: StoreVersion?
  /// Something was learned that may not be in the file yet.
  private var isUnsaved = false
  /// In words for people.
  private var trouble: String?

  static let interval = MediaTime.milliseconds(500)

  /// `learned` is called when there are more tokens to refuse.
  package init(_ revocations: Revocations, learned: @escaping @Sendable () -> Void = {}) {
    self.revocations = revocations
    self.learned = learned
  }

  /// What to tell people, where it has changed.
  package mutating func run(_ store: inout some Store, at now: WallTime) -> String? {
    let before = trouble
    let withStore = exchange(&store, at: now)
    trouble = save(at: now) ?? withStore
    return trouble == before ? nil : trouble ?? "revoked tokens are exchanged and kept again"
  }

  private mutating func exchange(_ store: inout some Store, at now: WallTime) -> String? {
    do {
      guard let theirs = try store.revoked(after: version) else { return nil }
      if revocations.learn(theirs.expiries, at: now) {
        isUnsaved = true
        learned()
      }
      let unknown = try revocations.unknown(to: theirs.expiries, at: now)
      // If they don't fit into the store, the file has no room for all either, and says so.
      if !unknown.isEmpty {
        _ = try store.revoke(unknown, limit: Revocations.capacity, needsReplica: false, at: now)
      }
      version = theirs.version
      return nil
    } catch let error as TokenFileError {
      return Self.isNotKept(error)
    } catch StoreError.away(let reason) {
      // The follower tells people of a store that is lost.
      if case .lost = reason { return trouble }
      return "revoked tokens are not exchanged: the store \(reason.reason)"
    } catch {
      return trouble
    }
  }

  private mutating func save(at now: WallTime) -> String? {
    guard isUnsaved else { return nil }
    do throws(TokenFileError) {
      try revocations.save(at: now)
      isUnsaved = false
      return nil
    } catch {
      return Self.isNotKept(error)
    }
  }

  private static func isNotKept(_ error: TokenFileError) -> String {
    "revoked tokens are not kept for the next start: \(error.what) (\(error.hint))"
  }
}
