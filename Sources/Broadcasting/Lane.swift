internal import MediaModel
internal import Platform

/// A track's way from its source to the outputs, on threads of its own.
protocol Lane: Sendable {
  func start() throws
  /// The source stops; what it has given goes on to the outputs.
  func stop()
  /// Waits for the threads; call it after `stop`.
  func join()
}

/// What every lane is given.
struct LaneSurroundings: Sendable {
  let timeLine: TimeLine
  /// The track ends here.
  let end: MediaTime?
  let receivers: [any PacketReceiver]
  let meters: Meters
  let report: @Sendable (LaneEvent) -> Void

  /// A device runs ahead, so that it has warmed up when the broadcast goes live; anything else begins there. False when it
  /// was stopped before.
  func isReady(_ isDevice: Bool, until stop: StopSignal) -> Bool {
    isDevice || timeLine.waitForLive(until: stop)
  }

  func send(_ packets: [MediaPacket]) {
    for packet in packets {
      meters.sent(packet)
      for receiver in receivers { receiver.offer(packet) }
    }
  }

  func announce(_ track: Track) {
    for receiver in receivers { receiver.offer(track) }
  }

  func tell(_ loss: TrackLoss) {
    meters.lost(loss)
    report(.lost(loss))
  }
}
