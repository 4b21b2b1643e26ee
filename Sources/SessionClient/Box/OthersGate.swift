import HoldfastBroadcasting
import HoldfastMembership

/// Lets a broadcast go live once so many other members of the session are ready.
struct OthersGate: GoLiveGate {
  let others: Int
  /// How many are ready, again with each change.
  let changes: @Sendable () -> AsyncStream<Int>

  func authorize(_ broadcast: BroadcastInfo) async throws {
    guard broadcast.occasion == .start else { return }
    for await count in changes() where count >= others { return }
  }
}
