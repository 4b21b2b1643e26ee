import HoldfastFFmpeg
import HoldfastMediaModel

/// A lane's video encoder. While the machine is overloaded it takes less time for a picture: first with faster
/// speeds of the encoder, then with half the bitrate.
struct LaneEncoder: ~Copyable {
  private var encoder: VideoEncoder
  private let speeds: [EncoderSpeed]
  private let destination: LaneDestination
  private var overload: OverloadController
  private var speed = EncoderSpeed.usual
  /// The requested bitrate, which an overload halves.
  private var bitrate: Int
  private var replacement: EncoderReplacement

  init(_ encoder: consuming VideoEncoder, _ codec: Codec, bitrate: Int, destination: LaneDestination) {
    speeds = encoder.implementation.speeds(for: codec)
    // Without faster speeds the encoder is hardware, or could not change its bitrate either.
    overload = OverloadController(maxLevel: speeds.count > 1 ? speeds.count : 0)
    self.encoder = encoder
    self.destination = destination
    self.bitrate = bitrate
    replacement = EncoderReplacement(bitrate: bitrate)
  }

  var track: Track? { encoder.track }
  var pixelFormat: PixelFormat { encoder.pixelFormat }

  mutating func encode(
    _ picture: consuming Frame, at time: MediaTime, isKeyframeForced: Bool
  ) throws -> [MediaPacket] {
    try encoder.encode(picture, at: time, isKeyframeForced: isKeyframeForced)
  }

  mutating func finish() throws -> [MediaPacket] { try encoder.finish() }

  mutating func setBitrate(_ change: BitrateChange) {
    bitrate = change.bitsPerSecond
    guard !setBitrate(reason: change.reason) else { return }
    // Another encoder may need other headers, which not all receivers of a shared encode take.
    if destination.rendition.isOwn { return replacement.request(bitrate, reason: change.reason) }
    guard change.isConfigured else { return }
    destination.note(
      "this encoder can't change its bitrate while running; the next broadcast uses the new one")
  }

  /// Changes to another encoder, or takes a step, if there is reason to before a picture is encoded. Returns packets that
  /// come before it.
  mutating func adapt(
    waiting: Int, dropped: Int, isKeyframe: Bool, at now: MonotonicTime
  ) throws -> [MediaPacket] {
    if let target = replacement.next(isKeyframe: isKeyframe) { return try replace(target) }
    let wasHalved = isHalved
    guard let level = overload.handle(waiting: waiting, dropped: dropped, at: now) else { return [] }
    destination.meters.setOverloaded(level > 0)
    if isHalved != wasHalved {
      _ = setBitrate(reason: isHalved ? "overload" : "the machine keeps up again")
    }
    return try setSpeed(speeds[min(level, speeds.count - 1)])
  }

  private mutating func replace(_ target: EncoderReplacement.Target) throws -> [MediaPacket] {
    let other = try encoder.replaced(atBitrate: target.bitrate)
    let packets = try encoder.finish()
    encoder = other
    report(target.bitrate, target.reason)
    return packets
  }

  private var isHalved: Bool { overload.level > 0 && overload.level == speeds.count }

  private mutating func setBitrate(reason: String) -> Bool {
    let next = isHalved ? bitrate / 2 : bitrate
    guard encoder.setBitrate(next) else { return false }
    report(next, reason)
    return true
  }

  private func report(_ bitrate: Int, _ reason: String) {
    destination.meters.setTargetBitrate(bitrate)
    destination.report(
      .bitrateChanged(
        BitrateChange(bitsPerSecond: bitrate, reason: reason, rendition: destination.rendition)))
  }

  private mutating func setSpeed(_ new: EncoderSpeed) throws -> [MediaPacket] {
    guard new != speed, let other = try encoder.replaced(by: new) else { return [] }
    let packets = try encoder.finish()
    encoder = other
    _ = encoder.setBitrate(isHalved ? bitrate / 2 : bitrate)
    let isUsual = new == .usual
    let why = new.isFaster(than: speed) ? "the machine is overloaded" : "the machine keeps up again"
    speed = new
    destination.note(
      "\(why); preset \(new.rawValue)\(isUsual ? "" : " instead of \(EncoderSpeed.usual.rawValue)")")
    return packets
  }
}
