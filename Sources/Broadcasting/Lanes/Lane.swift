internal import HoldfastMediaModel
internal import HoldfastPlatform

/// A track's way from its feed to the outputs, on a thread of its own.
protocol Lane: Sendable {
  func start() throws
  /// Nothing more is taken from the feed; what it has given goes on to the outputs.
  func stop()
  /// Waits for the thread; call it after `stop`.
  func join()
  /// Something has been captured that is not encoded yet.
  var isBehind: Bool { get }
}

/// Where a lane's packets go, and what it reports of them.
struct LaneDestination: Sendable {
  let timeLine: TimeLine
  /// The track ends here, on the lanes' own time line.
  let end: MediaTime?
  let receivers: [any PacketReceiver]
  let meters: Meters
  /// Tracks whose sources come to an end by themselves.
  let selfEnding: @Sendable () -> Set<TrackKind>
  let report: @Sendable (LaneEvent) -> Void

  /// What a lane's feed gives, once the broadcast is live; a device runs ahead, so that it has warmed up by then.
  func receiver<Taken: ~Copyable>(
    of track: TrackKind, take: @escaping @Sendable (consuming Taken, Provenance) -> Void,
    end: @escaping @Sendable () -> Void
  ) -> FeedReceiver<Taken> {
    FeedReceiver(
      take: take, isReady: { [timeLine] in timeLine.waitForLive(until: $0) },
      end: { [timeLine, report] error in
        if let error { report(.sourceFailed(error)) }
        timeLine.withdraw(track)
        end()
      })
  }

  func send(_ packets: [MediaPacket]) {
    for var packet in packets {
      packet.decodeTime += timeLine.base
      packet.presentationTime += timeLine.base
      meters.sent(packet)
      for receiver in receivers { receiver.offer(packet) }
    }
  }

  func announce(_ track: Track) {
    for receiver in receivers { receiver.offer(track) }
  }

  func tell(_ loss: TrackLoss) {
    var loss = loss
    loss.mediaAt += timeLine.base
    meters.lost(loss)
    report(.lost(loss))
  }
  /// The first of a track lies on the time line, since that began or went on.
  func reportBeginning() {
    if let start = timeLine.start { report(.began(start)) }
  }

  /// All packets of the track have been handed on; the broadcast's time was over, or else the source's.
  func reportEnd(of track: TrackKind, hasReachedEnd: Bool) {
    report(.finished(track, hasReachedEnd: hasReachedEnd, selfEnding: selfEnding()))
  }
}
