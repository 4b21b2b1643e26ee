public import Holdfast
import HoldfastMediaModel
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

  /// How often a waiting thread rechecks its condition.
  private static let slice = Duration.milliseconds(10)

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

  /// Waits until `isEnough` holds for this sink; returns false on timeout.
  public func wait(
    timeout: Duration = .seconds(60), until isEnough: @escaping @Sendable (CollectingSink) -> Bool
  ) async -> Bool {
    let isMet = try? await onThread("sink-wait") { [self] in
      let deadline = CaptureTime.now + timeout
      let never = Promise<Bool>()
      while !isEnough(self) {
        guard CaptureTime.now < deadline else { return false }
        _ = never.take(until: .now + MediaTime(Self.slice))
      }
      return true
    }
    return isMet ?? false
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
