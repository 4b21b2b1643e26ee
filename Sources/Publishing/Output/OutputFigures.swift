package import HoldfastLifecycle
package import HoldfastMediaModel

package struct OutputFigures: Hashable, Sendable {
  package var condition = OutputLifecycle.Condition(.closed)
  package var since: MonotonicTime?
  package var bytesSent: Int64 = 0
  package var queued = MediaTime.zero
  /// Bytes that the operating system holds.
  package var unsentBytes = 0
  package var roundTrip: MediaTime?
  package var lossRate: Double?
  package var connections = 0
  package var lost = MediaTime.zero

  package init() {}
}
