import HoldfastMediaModel

/// The receivers of a lane's packets and reports.
struct LaneDestination: Sendable {
  let timeline: Timeline
  /// The end of the track, in the lanes' media time.
  let end: MediaTime?
  let receivers: [any PacketReceiver]
  let meters: Meters
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
    report(.lost(loss))
  }

  /// What a track is losing, and what a stand-in replaces.
  func show(_ losses: [TrackLoss], _ outage: DeviceOutage) {
    var (losses, outage) = (losses, outage)
    for index in losses.indices { losses[index].mediaAt += timeline.base }
    outage.since = outage.since.map { $0 + timeline.base }
    meters.set(Meters.Lasting(losses: losses, outage: outage), of: outage.track)
  }

  func reportStart() {
    if let start = timeline.start { report(.started(start)) }
  }
}
