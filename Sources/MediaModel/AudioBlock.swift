/// A stretch of captured sound: interleaved floats and the instant at which the first of them was heard.
public struct AudioBlock: Sendable {
  public let format: AudioFormat
  public let captureTime: MonotonicTime
  public let samples: [Float]
  /// What was lost right before this block, as the device told; 0 where nothing was.
  public let lostBefore: MediaTime

  public init(
    format: AudioFormat, captureTime: MonotonicTime, samples: [Float], lostBefore: MediaTime = .zero
  ) {
    self.format = format
    self.captureTime = captureTime
    self.samples = samples
    self.lostBefore = lostBefore
  }

  public var frameCount: Int { samples.count / format.channels }
  public var duration: MediaTime { format.duration(ofFrames: frameCount) }
}
