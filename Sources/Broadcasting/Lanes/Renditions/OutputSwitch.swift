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
  func rendition(at bitrate: Int) -> LaneRendition {
    let planned = PlannedRendition(
      id: id, size: shared.planned.size, bitrate: bitrate, encoders: shared.planned.encoders,
      outputs: [output])
    return LaneRendition(planned, of: shared.destination, to: [packets.port(for: id)])
  }

  /// The output gets its pictures from its own encode, or from the shared one again, from `time` on.
  func change(toOwn isOwn: Bool, from time: MediaTime) {
    packets.change(to: isOwn ? id : shared.planned.id, from: time + shared.destination.timeline.base)
  }

  /// Whether the output lacks what the shared encode loses.
  func setShares(_ shares: Bool) {
    shared.destination.users?.withLock { users in
      users.removeAll { $0 == output }
      if shares { users.append(output) }
    }
  }
}
