internal import HoldfastMediaModel

/// A broadcast's media time line: when it ran, and where on it what was captured belongs.
struct MediaClock {
  struct Stretch {
    let from: Int64
    var until: Int64?
    let media: Int64
  }

  private(set) var stretches: [Stretch] = []
  /// Where it stands before it has run in this process.
  private var start: Int64

  init(from start: Int64 = 0) {
    self.start = start
  }

  var isRunning: Bool { stretches.last.map { $0.until == nil } ?? false }

  var runsSince: Int64? { isRunning ? stretches.last?.from : nil }

  func end(at now: Int64) -> Int64 {
    guard let last = stretches.last else { return start }
    return last.media + (last.until ?? now) - last.from
  }

  mutating func run(from now: Int64) {
    stretches.append(Stretch(from: now, until: nil, media: end(at: now)))
  }

  mutating func pause(at now: Int64) {
    guard isRunning else { return }
    stretches[stretches.count - 1].until = now
  }

  /// The parts of what was captured that belong to the broadcast.
  func parts(of captured: Range<Int64>) -> [(captured: Range<Int64>, media: Int64)] {
    var parts: [(captured: Range<Int64>, media: Int64)] = []
    // What is asked about is recent.
    for stretch in stretches.reversed() {
      let from = max(captured.lowerBound, stretch.from)
      let until = min(captured.upperBound, stretch.until ?? captured.upperBound)
      if from < until { parts.append((from..<until, stretch.media + from - stretch.from)) }
      if stretch.from <= captured.lowerBound { break }
    }
    return parts.reversed()
  }

  /// When that was captured which lies there on the media time line.
  func captured(media: Int64) -> Int64 {
    guard let stretch = stretches.last(where: { $0.media <= media }) else { return 0 }
    return stretch.from + media - stretch.media
  }
}
