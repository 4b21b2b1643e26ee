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

  private static let maxHoles = 4096

  init(_ track: RecordedTrack, codec: String) {
    self.track = track
    self.codec = codec
  }

  package var kind: TrackKind? { track.kind }
  package var start: MediaTime? { first.map(time) }
  package var end: MediaTime? { last.map { time($0.end) } }
  package var usualLength: MediaTime? { recent.median.map(time) }

  private func time(_ ticks: Int64) -> MediaTime { MediaTime(ticks: ticks, timescale: track.timescale) }

  mutating func add(_ sample: Fragment.Sample) {
    samples += 1
    keyframes += sample.isKeyframe ? 1 : 0
    bytes += sample.bytes.count
    defer { last = sample }
    guard let last else {
      first = sample.time
      return
    }
    let length = sample.time - last.time
    guard length > 0 else {
      stepsBack += 1
      firstStepBack = firstStepBack ?? time(sample.time)
      return
    }
    if let usual = recent.median, length > longest(usual) {
      note(from: last.time + usual, to: sample.time, usual)
    }
    recent.add(length)
  }

  /// Pictures may be a little late; sound is continuous to the sample.
  private func longest(_ usual: Int64) -> Int64 {
    kind == .audio ? usual + Int64(track.timescale) / 500 : usual * 7 / 4
  }

  private mutating func note(from start: Int64, to end: Int64, _ usual: Int64) {
    let length = time(end - start)
    missing.addClamped(length)
    if var hole = holes.last, time(start) - hole.end <= time(2 * usual) {
      hole.end = time(end)
      hole.length.addClamped(length)
      hole.places += 1
      hole.longest = max(hole.longest, length)
      holes[holes.count - 1] = hole
      return
    }
    holeCount += 1
    guard holes.count < Self.maxHoles else { return }
    holes.append(
      Hole(track: kind, at: time(start), end: time(end), length: length, longest: length, usual: time(usual)))
  }
}

private struct RecentLengths: Hashable, Sendable {
  private var lengths: [Int64] = []
  private var next = 0
  private(set) var median: Int64?

  private static let capacity = 61

  mutating func add(_ length: Int64) {
    if lengths.count < Self.capacity { lengths.append(length) } else { lengths[next] = length }
    next = (next + 1) % Self.capacity
    // Sorted each time until the buffer is full, then every eighth time.
    if lengths.count < Self.capacity || next % 8 == 0 { median = lengths.sorted()[lengths.count / 2] }
  }
}
