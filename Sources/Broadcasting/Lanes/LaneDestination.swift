import HoldfastMediaModel
import HoldfastPlatform

/// The receivers of a lane's packets and reports, or of one of its renditions'.
struct LaneDestination: Sendable {
  let timeline: Timeline
  var rendition = RenditionID.main
  /// Those that lack what is lost here, as gaps name them; nil for all.
  var users: Locked<[String]>?
  /// The end of the track, in the lanes' media time.
  let end: MediaTime?
  var receivers: [any PacketReceiver]
  var meters: Meters
  let selfEnding: @Sendable () -> Set<TrackKind>
  let report: @Sendable (LaneEvent) -> Void

  /// Announces the track to the receivers, before its first packet.
  func announce(_ track: Track) {
    meters.add(track)
    for receiver in receivers { receiver.offer(track) }
  }

  func send(_ packets: [MediaPacket]) {
    for var packet in packets {
      packet.decodeTime += timeline.base
      packet.presentationTime += timeline.base
      meters.add(packet)
      for receiver in receivers { receiver.offer(packet) }
    }
  }

  func report(lost loss: TrackLoss?) {
    guard var loss else { return }
    loss.mediaAt += timeline.base
    meters.add(loss)
    for loss in loss.atEach(of: users?.withLock { $0 }) { report(.lost(loss)) }
  }

  func report(lost losses: [TrackLoss]) {
    for loss in losses { report(lost: loss) }
  }

  func note(_ text: String) {
    report(.note(rendition == .main ? "video: \(text)" : "video \(rendition): \(text)"))
  }

  /// What a track is losing, and what a stand-in replaces.
  func show(_ losses: [TrackLoss], _ outage: DeviceOutage) {
    var (losses, outage) = (losses, outage)
    for index in losses.indices { losses[index].mediaAt += timeline.base }
    outage.since = outage.since.map { $0 + timeline.base }
    meters.set(
      Meters.Lasting(losses: losses, users: users?.withLock { $0 }, outage: outage), of: outage.track)
  }

  /// Whether the track's end has passed without a packet that shows it.
  func hasEnded(at now: MonotonicTime) -> Bool {
    end.map { timeline.mediaTime(at: now) - timeline.base > $0 + Self.endTolerance } ?? false
  }

  private static let endTolerance = MediaTime.seconds(1)

  func reportStart() {
    if let start = timeline.start { report(.started(start)) }
  }
}
