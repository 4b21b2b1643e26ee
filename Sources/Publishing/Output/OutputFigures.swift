package import HoldfastLifecycle
package import HoldfastMediaModel

package struct OutputFigures: Hashable, Sendable {
  package var condition = OutputLifecycle.Condition(.closed)
  package var since: MonotonicTime?
  package var bytesSent: Int64 = 0
  package var queued = MediaTime.zero
  /// Bytes in the operating system's send buffer.
  package var unsentBytes = 0
  package var roundTrip: MediaTime?
  package var lossRate: Double?
  package var connections = 0
  package var lost = MediaTime.zero

  package init() {}

  mutating func update(_ reading: OutputReading) {
    bytesSent = reading.health.bytesSent
    queued = reading.queued
    unsentBytes = reading.health.unsentBytes
    roundTrip = reading.health.roundTrip
    lossRate = reading.health.lossRate
  }
}
