/// The size and rate of a video track.
public struct VideoFormat: Hashable, Sendable {
  public var size: PictureSize
  public var frameRate: FrameRate

  public init(size: PictureSize, frameRate: FrameRate) {
    self.size = size
    self.frameRate = frameRate
  }
}

extension VideoFormat: CustomStringConvertible {
  public var description: String { "\(size) at \(frameRate)" }
}

public struct PictureSize: Hashable, Sendable {
  public let width: Int
  public let height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Reads `1280x720`.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
    self.init(width: width, height: height)
  }

  public var area: Int { width * height }

  /// The same shape, made smaller where it has to be to lie within `limit`; even, as encoders want it.
  public func fitted(into limit: PictureSize) -> PictureSize {
    let factor = min(1, Double(limit.width) / Double(width), Double(limit.height) / Double(height))
    func even(_ length: Int) -> Int { max(2, Int((Double(length) * factor / 2).rounded(.down)) * 2) }
    return PictureSize(width: even(width), height: even(height))
  }
}

extension PictureSize: CustomStringConvertible {
  public var description: String { "\(width)x\(height)" }
}

/// The rate and channel count of an audio track. Samples between our modules are interleaved 32-bit floats.
public struct AudioFormat: Hashable, Sendable {
  public var sampleRate: Int
  public var channels: Int

  public init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = channels
  }

  public func duration(ofFrames count: Int) -> MediaTime {
    MediaTime(ticks: Int64(count), timescale: sampleRate)
  }
}

extension AudioFormat: CustomStringConvertible {
  public var description: String {
    let name = channels == 1 ? "mono" : channels == 2 ? "stereo" : "\(channels) channels"
    return "\(sampleRate) Hz \(name)"
  }
}

/// How the samples of a raw picture lie in memory.
public enum PixelFormat: String, Hashable, Sendable, CaseIterable {
  case yuv420p, nv12, yuyv422, uyvy422, yuv422p, rgb24, bgr24, gray
}
