import HoldfastMediaModel
import HoldfastPlatform

@testable import HoldfastBroadcasting

extension LaneDestination {
  /// Of pictures; what is reported is added to `reports`.
  init(
    to receivers: [any PacketReceiver] = [], selfEnding: Set<TrackKind> = [],
    noting reports: Locked<[LaneEvent]>
  ) throws {
    self.init(
      timeline: try Timeline(tracks: [.video]), end: nil, receivers: receivers, meters: Meters(),
      selfEnding: { selfEnding }, report: { event in reports.withLock { $0.append(event) } })
  }
}
