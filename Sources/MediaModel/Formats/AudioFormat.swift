/// The rate and channel count of an audio track; samples are interleaved 32-bit floats.
package struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
  package var sampleRate: Int
  package var channels: Int

  package init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = channels
  }

  package func duration(ofFrames count: Int) -> MediaTime {
    MediaTime(ticks: Int64(count), timescale: sampleRate)
  }

  package var description: String {
    let name = channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels"
    return "\(sampleRate) Hz \(name)"
  }
}
