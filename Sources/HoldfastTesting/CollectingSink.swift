public import Holdfast
import HoldfastPlatform

/// A sink that keeps everything it receives, and can wait for it.
public final class CollectingSink: PacketSink {
  private struct State: Sendable {
    var tracks: [Holdfast.Track] = []
    var packets: [Packet] = []
    var dropped = 0
    var reports: [Report] = []
    var hasEnded = false
  }

  private let state = Locked(State())

  /// Creates an empty sink.
  public init() {}

  /// The tracks, in the order of their start.
  public var tracks: [Holdfast.Track] { state.withLock { $0.tracks } }
  /// All packets, in the order of their arrival.
  public var packets: [Packet] { state.withLock { $0.packets } }
  /// The number of packets dropped because the sink was too slow.
  public var droppedPackets: Int { state.withLock { $0.dropped } }
  /// The reports of the broadcasts that have ended.
  public var reports: [Report] { state.withLock { $0.reports } }
  /// Whether the sink's input has ended.
  public var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Waits until `isEnough` holds for this sink; returns false on timeout or cancellation.
  public func wait(
    timeout: Duration = .seconds(60), until isEnough: @escaping @Sendable (CollectingSink) -> Bool
  ) async -> Bool {
    await poll(timeout) { isEnough(self) ? true : nil } ?? false
  }

  /// Keeps the track.
  public func beginTrack(_ track: Holdfast.Track) { state.withLock { $0.tracks.append(track) } }
  /// Keeps the packet.
  public func receive(_ packet: Packet) { state.withLock { $0.packets.append(packet) } }
  /// Adds to the number of dropped packets.
  public func reportDropped(_ packets: Int) { state.withLock { $0.dropped += packets } }
  /// Keeps the report.
  public func endBroadcast(_ report: Report) { state.withLock { $0.reports.append(report) } }
  /// Notes the end.
  public func end() { state.withLock { $0.hasEnded = true } }
}

/// Waits until `value` returns one; nil on timeout or if the task is cancelled.
func poll<Value>(_ timeout: Duration, for value: () -> Value?) async -> Value? {
  let deadline = ContinuousClock.now + timeout
  while true {
    if let value = value() { return value }
    guard ContinuousClock.now < deadline else { return nil }
    do { try await Task.sleep(for: .milliseconds(10)) } catch { return nil }
  }
}
