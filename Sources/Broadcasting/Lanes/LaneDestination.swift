import HoldfastMediaModel

/// The receivers of a lane's packets and reports.
struct LaneDestination: Sendable {
  let timeLine: TimeLine
  /// The end of the track, in the lanes' media time.
  let end: MediaTime?
  let receivers: [any PacketReceiver]
  let meters: Meters
  let selfEnding: @Sendable () -> Set<TrackKind>
  let report: @Sendable (LaneEvent) -> Void

  /// Announces the track to the receivers, before its first packet.
  func announce(_ track: Track) {
    for receiver in receivers { receiver.offer(track) }
  }

  func send(_ packets: [MediaPacket]) {
    for var packet in packets {
      packet.decodeTime += timeLine.base
      packet.presentationTime += timeLine.base
      meters.add(packet)
      for receiver in receivers { receiver.offer(packet) }
    }
  }

  func report(lost loss: TrackLoss?) {
    guard var loss else { return }
    loss.mediaAt += timeLine.base
    meters.add(loss)
    report(.lost(loss))
  }

  func reportStart() {
    if let start = timeLine.start { report(.started(start)) }
  }
}
