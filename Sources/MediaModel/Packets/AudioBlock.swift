/// Captured sound: interleaved floats, and the time of the first.
package struct AudioBlock: Sendable {
  package let format: AudioFormat
  package let captureTime: MonotonicTime
  package let samples: [Float]
  /// The loss reported by the device right before this block.
  package let lostBefore: MediaTime
  /// It does not continue the block before, although nothing is missing: the source's clock has jumped.
  package let isAfterJump: Bool
  /// The members of a programme whose sound is missing in it, and for how long it has been, as far as that is their source's.
  package let absentMembers: [String: MediaTime]

  package init(
    format: AudioFormat, captureTime: MonotonicTime, samples: [Float], lostBefore: MediaTime = .zero,
    isAfterJump: Bool = false, absentMembers: [String: MediaTime] = [:]
  ) {
    self.format = format
    self.captureTime = captureTime
    self.samples = samples
    self.lostBefore = lostBefore
    self.isAfterJump = isAfterJump
    self.absentMembers = absentMembers
  }

  /// The part within `times`, to the nearest frame; keeps `lostBefore` and `isAfterJump` only with the first frame.
  package func cut(to times: Range<MonotonicTime>) -> AudioBlock {
    let first = frames(until: times.lowerBound)
    let end = frames(until: times.upperBound)
    guard first > 0 || end < frameCount else { return self }
    return AudioBlock(
      format: format, captureTime: captureTime + format.duration(ofFrames: first),
      samples: first < end ? Array(samples[first * format.channels..<end * format.channels]) : [],
      lostBefore: first == 0 ? lostBefore : .zero, isAfterJump: first == 0 && isAfterJump,
      absentMembers: absentMembers)
  }

  private func frames(until time: MonotonicTime) -> Int {
    let frames = ((time - captureTime).seconds * Double(format.sampleRate)).rounded()
    return Int(min(max(0, frames), Double(frameCount)))
  }

  package var frameCount: Int { samples.count / format.channels }
  package var duration: MediaTime { format.duration(ofFrames: frameCount) }
}
