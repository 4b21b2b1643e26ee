package import HoldfastMediaModel

/// What is found out about one track of a recording, sample by sample, in memory that does not grow with it.
package struct TrackSurvey: Hashable, Sendable {
  /// Time that no sample covers: a stretch that is missing, or several close together.
  package struct Hole: Hashable, Sendable {
    package let track: TrackKind?
    /// Where the sample before should have ended.
    package let at: MediaTime
    /// Where the sample behind it begins.
    package internal(set) var end: MediaTime
    /// What is missing in all.
    package internal(set) var length: MediaTime
    /// Samples follow each other at a distance so many times, and none of these times is long: so are the pictures of
    /// a camera in the dark.
    package internal(set) var places = 1
    var longest: MediaTime
    let usual: MediaTime

    package var isThin: Bool { places > 2 && longest.nanoseconds < 3 * usual.nanoseconds }
  }

  package let track: RecordedTrack
  /// `avc1`, `mp4a`.
  package let codec: String
  package private(set) var samples = 0
  package private(set) var keyframes = 0
  package private(set) var bytes = 0
  /// Decode times that are not later than the one before.
  package private(set) var stepsBack = 0
  package private(set) var firstStepBack: MediaTime?
  package private(set) var holes: [Hole] = []
  /// Those that are too many to be listed, too.
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
  /// How long a sample usually lasts.
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

  /// Pictures may be a little late; sound follows to the sample.
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

/// How long the last samples were.
private struct RecentLengths: Hashable, Sendable {
  private var lengths: [Int64] = []
  private var next = 0
  private(set) var median: Int64?

  private static let capacity = 61

  mutating func add(_ length: Int64) {
    if lengths.count < Self.capacity { lengths.append(length) } else { lengths[next] = length }
    next = (next + 1) % Self.capacity
    // In the beginning each one counts, later it takes a while until they are others.
    if lengths.count < Self.capacity || next % 8 == 0 { median = lengths.sorted()[lengths.count / 2] }
  }
}
