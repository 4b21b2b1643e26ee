internal import Capture
internal import MediaModel
internal import Platform

/// Packets that are encoded already go to the outputs as they are: one thread.
final class CopyLane: Lane {
  private let source: any PacketSource
  private let surroundings: LaneSurroundings
  private let stopSignal: StopSignal
  private let sourceThread = ThreadSlot()

  init(source: any PacketSource, surroundings: LaneSurroundings) throws {
    self.source = source
    self.surroundings = surroundings
    stopSignal = try StopSignal()
  }

  func start() throws {
    try sourceThread.start(name: "video-source") { [self] in copy() }
  }

  func stop() {
    stopSignal.signal()
  }

  func join() {
    sourceThread.join()
  }

  private func copy() {
    var sender = TrackSender(surroundings)
    var losses = PictureLosses(frameDuration: frameDuration)
    var last: MediaTime?
    var isOpen = false
    var isRunning = false
    var needsKeyframe = true
    var hasReachedEnd = false
    do {
      sender.announce(source.track)
      guard surroundings.isReady(source.isDevice, until: stopSignal) else {
        return surroundings.report(.finished(.video, hasReachedEnd: false))
      }
      try source.run(until: stopSignal) { packet, lostBefore in
        if !isOpen { surroundings.report(.opened(.video, summary: source.summary)) }
        isOpen = true
        losses.add(lostBefore, .source)
        // What follows a loss can't be decoded before the next keyframe.
        needsKeyframe = needsKeyframe || lostBefore > 0
        guard !needsKeyframe || packet.isKeyframe else { return losses.add(1, .source) }
        guard let packet = placed(packet) else {
          losses.forget()
          needsKeyframe = true
          if isRunning { surroundings.report(.held(.video)) }
          isRunning = false
          return
        }
        guard last.map({ packet.decodeTime.isTellablyLater(than: $0) }) ?? true else {
          losses.add(1, .source)
          needsKeyframe = true
          return
        }
        hasReachedEnd = hasReachedEnd || surroundings.end.map { packet.decodeTime >= $0 } ?? false
        guard !hasReachedEnd else { return stopSignal.signal() }
        if !isRunning { losses.forget() }
        isRunning = true
        for loss in losses.take(before: packet.decodeTime) { surroundings.tell(loss) }
        needsKeyframe = false
        last = packet.decodeTime
        sender.send([packet], of: source.track)
      }
    } catch {
      surroundings.report(.sourceFailed(error))
    }
    if last != nil {
      for loss in losses.take(before: last ?? .zero) { surroundings.tell(loss) }
    }
    surroundings.timeLine.withdraw(.video)
    surroundings.report(.finished(.video, hasReachedEnd: hasReachedEnd))
  }

  /// The packet on the broadcast's time line; nil while that stands still.
  private func placed(_ packet: MediaPacket) -> MediaPacket? {
    let decoded = MonotonicTime(nanoseconds: packet.decodeTime.nanoseconds)
    let shown = MonotonicTime(nanoseconds: packet.presentationTime.nanoseconds)
    guard let media = surroundings.timeLine.place(picture: decoded, shownAt: shown) else { return nil }
    var packet = packet
    packet.decodeTime = media
    // Nothing is shown before it can be decoded, whatever a file says.
    packet.presentationTime = media + max(.zero, shown - decoded)
    return packet
  }

  private var frameDuration: MediaTime {
    switch source.track.format {
    case .video(let format): format.frameRate.frameDuration
    case .audio: .zero
    }
  }
}
