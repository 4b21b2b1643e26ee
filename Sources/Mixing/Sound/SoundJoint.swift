package import HoldfastMediaModel

/// Makes the joint between two stretches of sound inaudible: what follows it begins at the value that the sound before
/// it ended with, and runs into its own within a few milliseconds.
package struct SoundJoint: Sendable {
  private var last: [Float] = []
  /// The step at the joint, per channel, and the frames over which it still fades.
  private var step: [Float] = []
  private var position = 0
  private var isAtJoint = false

  private static let fadeSeconds = 0.01

  package init() {}

  /// The next samples do not continue those before them.
  package mutating func begin() { isAtJoint = true }

  package mutating func smoothed(_ samples: [Float], _ format: AudioFormat) -> [Float] {
    let channels = format.channels
    guard channels > 0, samples.count >= channels else { return samples }
    var result = samples
    defer { last = Array(result.suffix(channels)) }
    if isAtJoint, !last.isEmpty {
      if last.count != channels { last = [Float](repeating: last[0], count: channels) }
      step = (0..<channels).map { last[$0] - samples[$0] }
      position = 0
    }
    isAtJoint = false
    let length = Int(Double(format.sampleRate) * Self.fadeSeconds)
    guard step.count == channels, position < length else { return result }
    for frame in 0..<min(samples.count / channels, length - position) {
      let rest = 1 - Float(position + frame) / Float(length)
      let weight = rest * rest * (3 - 2 * rest)
      for channel in 0..<channels { result[frame * channels + channel] += step[channel] * weight }
    }
    position += samples.count / channels
    return result
  }
}
