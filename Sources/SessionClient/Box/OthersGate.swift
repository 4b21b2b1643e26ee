package import HoldfastBroadcasting

/// Lets a broadcast go live once so many other members of the session are ready.
package struct OthersGate: GoLiveGate {
  package let others: Int
  /// How many are ready, again with each change.
  package let changes: @Sendable () -> AsyncStream<Int>

  package init(others: Int, changes: @escaping @Sendable () -> AsyncStream<Int>) {
    self.others = others
    self.changes = changes
  }

  package func authorize(_ broadcast: BroadcastInfo) async throws {
    guard broadcast.occasion == .start else { return }
    for await count in changes() where count >= others { return }
    throw CancellationError()
  }
}
