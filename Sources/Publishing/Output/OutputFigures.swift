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
  /// Reported losses.
  package var lost = MediaTime.zero
  /// Not reported yet; nil while it publishes.
  package var losing: OutputLoss?
  /// The oldest media of each track that the server has not received, as far as is known; nil without a connection.
  package var undelivered: [TrackKind: MediaTime]?

  package init() {}

  /// Reported or not.
  package var allLost: MediaTime { lost + (losing.map { max($0.video, $0.audio) } ?? .zero) }

  mutating func update(_ reading: OutputReading) {
    bytesSent = reading.health.bytesSent
    queued = reading.queued
    unsentBytes = reading.health.unsentBytes
    roundTrip = reading.health.roundTrip
    lossRate = reading.health.lossRate
    undelivered = reading.undelivered
  }
}
