import HoldfastMediaModel
import HoldfastPlatform

/// Queues packets without blocking and delivers them to a sink on a thread of its own.
final class SinkThread: PacketReceiver {
  private enum Item: Sendable {
    case track(HoldfastMediaModel.Track)
    case packet(MediaPacket, droppedBefore: Int)
    case ended(Report, droppedBefore: Int)
  }

  private struct Losses: Sendable {
    var dropped = 0
    /// After a loss, pictures cannot be decoded until the next keyframe.
    var awaitsKeyframe = false
  }

  private let sink: any PacketSink
  private let queue = BoundedQueue<Item>(capacity: 2048)
  private let losses = Locked(Losses())
  private let thread = ThreadSlot()

  init(_ sink: any PacketSink) { self.sink = sink }

  func start() throws(SystemError) {
    try thread.start(name: "sink") { [sink, queue] in
      while let item = queue.take() {
        switch item {
        case .track(let track): sink.beginTrack(Track(track))
        case .packet(let packet, let dropped):
          if dropped > 0 { sink.reportDropped(dropped) }
          sink.receive(Packet(inner: packet))
        case .ended(let report, let dropped):
          if dropped > 0 { sink.reportDropped(dropped) }
          sink.endBroadcast(report)
        }
      }
      sink.end()
    }
  }

  func offer(_ track: HoldfastMediaModel.Track) { _ = queue.offer(.track(track)) }

  func offer(_ packet: MediaPacket) {
    losses.withLock { losses in
      let isUseless = losses.awaitsKeyframe && packet.track == .video && !packet.isKeyframe
      // Reserves room for tracks and reports, which are rare and required.
      guard !isUseless, queue.offer(.packet(packet, droppedBefore: losses.dropped), leaving: 16) else {
        losses.dropped += 1
        if packet.track == .video { losses.awaitsKeyframe = true }
        return
      }
      losses.dropped = 0
      if packet.track == .video { losses.awaitsKeyframe = false }
    }
  }

  func endBroadcast(_ report: Report) {
    losses.withLock { losses in
      _ = queue.offer(.ended(report, droppedBefore: losses.dropped))
      losses = Losses()
    }
  }

  /// Ends the input; queued packets are still delivered.
  func close() { queue.close() }

  func join() { thread.join() }
}
