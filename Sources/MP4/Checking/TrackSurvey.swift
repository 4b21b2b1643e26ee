package import HoldfastMediaModel

/// Statistics of one track of a recording, collected sample by sample in constant memory.
package struct TrackSurvey: Hashable, Sendable {
  /// Time without samples: one missing stretch, or several close together.
  package struct Hole: Hashable, Sendable {
    package let track: TrackKind?
    /// End of the sample before the hole, by the usual duration.
    package let at: MediaTime
    package internal(set) var end: MediaTime
    package internal(set) var length: MediaTime
    /// Number of missing stretches; many short ones mean a low frame rate, as of a camera in the dark.
    package internal(set) var places = 1
    var longest: MediaTime
    let usual: MediaTime

    package var isThin: Bool { places > 2 && longest.nanoseconds < 3 * usual.nanoseconds }
  }

  package let track: RecordedTrack
  package let codec: String
  package private(set) var samples = 0
  package private(set) var keyframes = 0
  package private(set) var bytes = 0
  /// Decode times not later than the one before.
  package private(set) var stepsBack = 0
  package private(set) var firstStepBack: MediaTime?
  package private(set) var holes: [Hole] = []
  /// Also counts those that exceed the capacity of `holes`.
  package private(set) var holeCount = 0
  package private(set) var missing = MediaTime.zero

  private(set) var first: Int64?
  private(set) var last: Fragment.Sample?
  private var recent = RecentLengths()
  /// The latest times, whose distances are not judged yet.
  private var times: [Int64] = []

  private static let maxHoles = 4096
  /// The number of samples after a distance that are known when it is judged.
  private static let reach = 10

  init(_ track: RecordedTrack, codec: String) {
    self.track = track
    self.codec = codec
  }

  package var kind: TrackKind? { track.kind }
  package var start: MediaTime? { first.map(track.time) }
  package var end: MediaTime? { last.map { track.time($0.end) } }
  package var usualLength: MediaTime? { recent.median.map(track.time) }

  /// What the track lacks at the beginning or the end of the file.
  package func hole(at start: MediaTime, to end: MediaTime) -> Hole {
    Hole(track: kind, at: start, end: end, length: end - start, longest: end - start, usual: .zero)
  }

  mutating func add(_ sample: Fragment.Sample) {
    samples += 1
    keyframes += sample.isKeyframe ? 1 : 0
    bytes += sample.bytes.count
    defer { last = sample }
    guard let last else {
      first = sample.time
      times = [sample.time]
      return
    }
    let length = sample.time - last.time
    guard length > 0 else {
      stepsBack += 1
      firstStepBack = firstStepBack ?? track.time(sample.time)
      finish()
      times = [sample.time]
      return
    }
    recent.add(length)
    times.append(sample.time)
    if times.count > Self.reach + 1 { judge() }
  }

  /// Judges the last samples, which nothing follows.
  mutating func finish() {
    while times.count > 1 { judge() }
  }

  /// Judges the first distance, once a few more are known.
  private mutating func judge() {
    let (before, after) = (times.removeFirst(), times[0])
    guard let usual = recent.median, after - before > usual else { return }
    let jitter = kind == .audio ? 0 : recent.deviation * HoleRule.jitterFactor
    let longest = max(usual, recent.mean)
    if after - before - longest - jitter > ticks(HoleRule.slack(of: kind, usual: track.time(longest))) {
      note(from: before + usual, to: after, usual)
    }
  }

  private func ticks(_ time: MediaTime) -> Int64 { time.ticks(timescale: track.timescale) }

  private mutating func note(from start: Int64, to end: Int64, _ usual: Int64) {
    let length = track.time(end - start)
    missing.addClamped(length)
    if var hole = holes.last, track.time(start) - hole.end <= track.time(2 * usual) {
      hole.end = track.time(end)
      hole.length.addClamped(length)
      hole.places += 1
      hole.longest = max(hole.longest, length)
      holes[holes.count - 1] = hole
      return
    }
    holeCount += 1
    guard holes.count < Self.maxHoles else { return }
    holes.append(
      Hole(
        track: kind, at: track.time(start), end: track.time(end), length: length, longest: length,
        usual: track.time(usual)))
  }
}

private struct RecentLengths: Hashable, Sendable {
  private var lengths: [Int64] = []
  private var next = 0
  private(set) var median: Int64?
  /// Of those that are no holes; longer than the median where every few pictures one is left out.
  private(set) var mean: Int64 = 0
  /// The median deviation from the median.
  private(set) var deviation: Int64 = 0

  private static let capacity = 61

  mutating func add(_ length: Int64) {
    if lengths.count < Self.capacity { lengths.append(length) } else { lengths[next] = length }
    next = (next + 1) % Self.capacity
    // Sorted each time until the buffer is full, then every eighth time.
    guard lengths.count < Self.capacity || next % 8 == 0 else { return }
    let sorted = lengths.sorted()
    let median = sorted[sorted.count / 2]
    let usual = sorted.prefix { $0 / 5 <= median / 2 }
    mean = Int64(usual.reduce(0) { $0 + Double($1) } / Double(usual.count))
    deviation = sorted.map { abs($0 - median) }.sorted()[sorted.count / 2]
    self.median = median
  }
}
