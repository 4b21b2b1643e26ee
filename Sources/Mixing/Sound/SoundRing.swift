/// The newest sound of one tile, addressed by the output's time in frames: written as it comes, read once in order.
package struct SoundRing: Sendable {
  package let channels: Int
  package let capacity: Int
  private var samples: [Float]
  /// The first frame that has not been read.
  package private(set) var position: Int64
  /// Frames that came after their time had been read.
  package private(set) var lateFrames = 0
  /// Frames that came so early that there was no room for them.
  package private(set) var earlyFrames = 0

  package init(channels: Int, capacity: Int, position: Int64) {
    (self.channels, self.capacity, self.position) = (channels, capacity, position)
    samples = [Float](repeating: 0, count: channels * capacity)
  }

  /// Keeps interleaved samples, of which the first frame belongs to `start`; replaces what was written there.
  package mutating func write(_ new: [Float], at start: Int64) {
    let count = new.count / channels
    let late = Int(min(Int64(count), max(0, position - start)))
    let early = Int(min(Int64(count - late), max(0, start + Int64(count) - position - Int64(capacity))))
    lateFrames += late
    earlyFrames += early
    for frame in late..<count - early {
      let slot = slot(start + Int64(frame))
      for channel in 0..<channels { samples[slot + channel] = new[frame * channels + channel] }
    }
  }

  /// Adds the next frames to `mix`; nothing where nothing was written.
  package mutating func read(into mix: inout [Float]) {
    for frame in 0..<mix.count / channels {
      let slot = slot(position)
      for channel in 0..<channels {
        mix[frame * channels + channel] += samples[slot + channel]
        // Or it would be read again when the ring has come round.
        samples[slot + channel] = 0
      }
      position += 1
    }
  }

  /// Adds the next frames to `mix`; their gain goes on from `gain`, by a step for each frame until it is `wanted`.
  package mutating func read(into mix: inout [Float], gain: inout Float, toward wanted: Float, by step: Float)
  {
    if gain == 1, wanted == 1 { return read(into: &mix) }
    var samples = [Float](repeating: 0, count: mix.count)
    read(into: &samples)
    for frame in 0..<mix.count / channels {
      gain = gain < wanted ? min(wanted, gain + step) : max(wanted, gain - step)
      for index in frame * channels..<(frame + 1) * channels { mix[index] += samples[index] * gain }
    }
  }

  /// Forgets all, and goes on at `position`.
  package mutating func restart(at position: Int64) {
    self.position = position
    for index in samples.indices { samples[index] = 0 }
  }

  /// The index of a frame's first sample.
  private func slot(_ frame: Int64) -> Int {
    let wrapped = Int(frame % Int64(capacity))
    return (wrapped < 0 ? wrapped + capacity : wrapped) * channels
  }
}
