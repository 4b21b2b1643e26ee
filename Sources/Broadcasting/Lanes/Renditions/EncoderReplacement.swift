/// When an encoder that can't change its bitrate gives way to another one, which begins with a keyframe: at once for a
/// lower bitrate, as packets queue up; for a higher one at the next common keyframe.
struct EncoderReplacement: Hashable, Sendable {
  struct Target: Hashable, Sendable {
    let bitrate: Int
    let reason: String
  }

  /// Of the present encoder.
  private(set) var bitrate: Int
  private var requested: Target?

  init(bitrate: Int) { self.bitrate = bitrate }

  mutating func request(_ bitrate: Int, reason: String) {
    requested = bitrate == self.bitrate ? nil : Target(bitrate: bitrate, reason: reason)
  }

  /// What the encoder of the next picture is to have; nil if the present one stays.
  mutating func next(isKeyframe: Bool) -> Target? {
    guard let target = requested, isKeyframe || target.bitrate < bitrate else { return nil }
    (bitrate, requested) = (target.bitrate, nil)
    return target
  }
}
