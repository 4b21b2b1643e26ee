package import HoldfastMediaModel

/// Finds the pictures that are missing between those of a network source, which has no sequence numbers of its own.
package struct SourceHoles: Hashable, Sendable {
  private var last: MonotonicTime?
  private var intervals: [MediaTime] = []

  private static let maxIntervals = 15
  private static let minIntervals = 5

  package init() {}

  /// The number of pictures missing right before one of `time`.
  package mutating func before(_ time: MonotonicTime) -> Int {
    defer { last = time }
    guard let interval = last.map({ time - $0 }), interval > .zero else { return 0 }
    defer {
      intervals.append(interval)
      if intervals.count > Self.maxIntervals { intervals.removeFirst() }
    }
    guard intervals.count >= Self.minIntervals, let usual = Self.median(intervals), usual > .zero else {
      return 0
    }
    let deviations = intervals.map { MediaTime(nanoseconds: abs($0.nanoseconds - usual.nanoseconds)) }
    let deviation = Self.median(deviations)?.nanoseconds ?? 0
    let slack = max(
      HoleRule.slack(of: .video, usual: usual), MediaTime(nanoseconds: deviation * HoleRule.jitterFactor))
    guard interval - usual > slack else { return 0 }
    return max(0, Int((interval.seconds / usual.seconds).rounded()) - 1)
  }

  private static func median(_ values: [MediaTime]) -> MediaTime? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}

/// How the sound of a network source goes on from one block to the next.
package struct SoundSeams: Hashable, Sendable {
  private var end: MonotonicTime?

  /// Stamps in milliseconds are this inexact.
  package static let maxJitter = MediaTime.milliseconds(15)
  /// What begins further before the end of the last block does not continue it; less is followed smoothly.
  private static let maxOverlap = MediaTime.milliseconds(20)

  package init() {}

  /// The block with what is missing before it. What a jump repeats does not continue the block before; a block without a
  /// stamp always does.
  package mutating func add(_ block: AudioBlock, isStamped: Bool = true) -> AudioBlock {
    guard isStamped else {
      end = end.map { $0 + block.duration }
      return block
    }
    let hole = end.map { block.captureTime - $0 } ?? .zero
    end = block.captureTime + block.duration
    return AudioBlock(
      format: block.format, captureTime: block.captureTime, samples: block.samples,
      lostBefore: hole > Self.maxJitter ? hole : .zero, isAfterJump: hole + Self.maxOverlap < .zero)
  }
}
