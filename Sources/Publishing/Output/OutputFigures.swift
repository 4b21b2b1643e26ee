package import HoldfastLifecycle
package import HoldfastMediaModel

/// How an output is doing at one instant.
package struct OutputFigures: Hashable, Sendable {
  package var condition = OutputLifecycle.Condition(.closed)
  /// Since when it has been so.
  package var since: MonotonicTime?
  package var bytesSent: Int64 = 0
  /// How much media waits in the queue.
  package var queued = MediaTime.zero
  /// Bytes that the operating system holds.
  package var unsentBytes = 0
  package var roundTrip: MediaTime?
  package var lossRate: Double?
  package var connections = 0
  package var lost = MediaTime.zero

  package init() {}
}
