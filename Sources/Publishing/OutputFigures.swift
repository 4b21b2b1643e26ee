public import Lifecycle
public import MediaModel

/// How an output is doing at one instant.
public struct OutputFigures: Hashable, Sendable {
  public var condition = OutputLifecycle.Condition(.closed)
  /// Since when it has been so.
  public var since: MonotonicTime?
  public var bytesSent: Int64 = 0
  /// How much media waits in the queue.
  public var queued = MediaTime.zero
  /// Bytes that the operating system holds.
  public var unsentBytes = 0
  public var roundTrip: MediaTime?
  public var lossRate: Double?
  public var connections = 0
  public var lost = MediaTime.zero

  public init() {}
}
