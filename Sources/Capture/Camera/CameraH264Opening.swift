internal import HoldfastMediaModel

/// Gathers what an H.264 camera tells a receiver before and with its first keyframe, however it is spread over buffers.
struct CameraH264Opening {
  private var parameterSets: [[UInt8]] = []

  /// The `avcC` record, once both parameter sets and a keyframe have come.
  mutating func take(_ annexB: [UInt8]) -> [UInt8]? {
    for unit in NALUnits.units(annexB: annexB.span) where !AVCConfiguration.belongsInPackets(unit[0]) {
      if !parameterSets.contains(unit) { parameterSets.append(unit) }
    }
    guard AVCConfiguration.isKeyframe(annexB: annexB.span) else { return nil }
    let stream: [UInt8] = parameterSets.flatMap { [0, 0, 0, 1] + $0 }
    return AVCConfiguration.record(annexB: stream.span)
  }
}
