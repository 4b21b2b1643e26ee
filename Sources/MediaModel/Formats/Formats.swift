package struct VideoFormat: Hashable, Sendable, CustomStringConvertible {
  package var size: PictureSize
  package var frameRate: FrameRate

  package init(size: PictureSize, frameRate: FrameRate) {
    self.size = size
    self.frameRate = frameRate
  }

  package var description: String { "\(size) at \(frameRate)" }
}

package struct PictureSize: Hashable, Sendable, CustomStringConvertible {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Parses `1280x720`.
  package init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
    self.init(width: width, height: height)
  }

  package var area: Int { width * height }

  /// The size scaled down to fit into `limit`, with even lengths for encoders.
  package func fitted(into limit: PictureSize) -> PictureSize {
    let factor = min(1, Double(limit.width) / Double(width), Double(limit.height) / Double(height))
    func even(_ length: Int) -> Int { max(2, Int((Double(length) * factor / 2).rounded(.down)) * 2) }
    return PictureSize(width: even(width), height: even(height))
  }

  package var description: String { "\(width)x\(height)" }
}

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

package enum PixelFormat: String, Hashable, Sendable, CaseIterable {
  case yuv420p, nv12, yuyv422, uyvy422, yuv422p, rgb24, bgr24, gray
}
