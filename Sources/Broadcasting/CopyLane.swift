internal import Capture
internal import MediaModel
internal import Platform

/// Packets that are encoded already go to the outputs as they are: one thread.
final class CopyLane: Lane {
  let kind = TrackKind.video
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
    var hasBegun = false
    do {
      surroundings.report(.opened(.video, summary: source.summary))
      try source.run(until: stopSignal) { packet in
        guard hasBegun || packet.isKeyframe else { return }
        let time = MonotonicTime(nanoseconds: packet.decodeTime.nanoseconds)
        guard let origin = surroundings.origin.pictureTaken(at: time) else { return }
        hasBegun = true
        var packet = packet
        packet.decodeTime = time - origin
        packet.presentationTime = packet.presentationTime - MediaTime(nanoseconds: origin.nanoseconds)
        if let end = surroundings.end, packet.decodeTime >= end {
          stopSignal.signal()
        } else {
          sender.send([packet], of: source.track)
        }
      }
    } catch {
      surroundings.report(.sourceFailed(error))
    }
    surroundings.origin.withdraw(.video)
    surroundings.report(.finished(.video))
  }
}
