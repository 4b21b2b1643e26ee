import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform

/// An output that may leave the encode it shares for one of its own.
struct OutputSwitch: Sendable {
  let output: String
  let shared: LaneRendition
  let packets: PacketSwitch

  var id: RenditionID { .own(output: output) }

  /// Of the same size, at `bitrate`.
  fileprivate func rendition(at bitrate: Int) -> LaneRendition {
    let planned = PlannedRendition(
      id: id, size: shared.planned.size, bitrate: bitrate, encoders: shared.planned.encoders,
      outputs: [output])
    var destination = shared.destination
    destination.rendition = id
    destination.users = Locked([output])
    destination.meters = Meters()
    destination.receivers = [packets.port(for: id)]
    return LaneRendition(planned: planned, destination: destination)
  }

  /// The output gets its pictures from its own encode, or from the shared one again, from `time` on.
  func change(toOwn isOwn: Bool, from time: MediaTime) {
    shared.destination.users?.withLock { users in
      users.removeAll { $0 == output }
      if !isOwn { users.append(output) }
    }
    packets.change(
      to: isOwn ? id : shared.planned.id, from: time + shared.destination.timeline.base)
  }
}

/// An encode that is being opened for an output, on a thread of its own, as that takes longer than a picture may.
final class OwnEncode: Sendable {
  let rendition: LaneRendition
  private let encoder = Promise<Result<Locked<PictureEncoder>, any Error>>()
  private let slot = ThreadSlot()

  init(
    _ change: OutputSwitch, bitrate: Int, _ settings: PictureEncoding.Settings, of source: VideoProperties
  ) throws(SystemError) {
    let rendition = change.rendition(at: bitrate)
    let track = change.shared.destination.meters.videoTrack
    self.rendition = rendition
    try slot.start(name: "\(change.id)") { [encoder] in
      encoder.fulfil(
        Result { Locked(try PictureEncoder(rendition, settings, of: source, replacing: track)) })
    }
  }

  /// Nil while it is not open.
  func take() -> Result<Locked<PictureEncoder>, any Error>? { encoder.take(until: .now) }

  func join() { slot.join() }
}
