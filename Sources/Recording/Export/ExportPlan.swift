import HoldfastMP4
import HoldfastMediaModel

/// The parts of a recording on one timeline, and its holes.
struct ExportPlan: Sendable {
  let parts: [RecordingPart]
  let bases: [MediaTime]
  /// Times with neither picture nor sound.
  let holes: [Range<MediaTime>]
  /// Presentation times of the keyframes; empty for sound alone.
  let keyframes: [MediaTime]
  /// Usual duration of a picture or a packet of sound.
  let usual: [TrackKind: MediaTime]
  let end: MediaTime

  /// `origins` are the starts of the parts in media time, nil if unknown. The first part starts at 0 here.
  init(_ parts: [RecordingPart], origins: [MediaTime?]) throws {
    self.parts = parts
    let usual = try Self.usual(parts[0])
    var scans = parts[0].recorded.mapValues { HoleScan(usual: usual[$0.kind ?? .video] ?? .zero, $0.kind) }
    var bases: [MediaTime] = []
    var keyframes: [MediaTime] = []
    for (index, part) in parts.enumerated() {
      let previousEnd = scans.values.map(\.end).max() ?? .zero
      var base = previousEnd
      if let first = origins[0], let origin = origins[index] { base = max(base, origin - first) }
      if index == 0 { base = .zero }
      bases.append(base)
      for (kind, track) in part.recorded {
        var cursor = SampleCursor(part, track)
        while let sample = try cursor.next() {
          let time = base + MediaTime(ticks: sample.time, timescale: track.timescale)
          scans[kind]?.add(time, lasting: MediaTime(ticks: sample.duration, timescale: track.timescale))
          if kind == .video, sample.isKeyframe {
            keyframes.append(time + MediaTime(ticks: sample.delay, timescale: track.timescale))
          }
        }
      }
    }
    guard scans.values.contains(where: { $0.end > .zero }) else {
      throw RecordingFileError(unusable: parts[0].path, "it contains no complete sample")
    }
    self.bases = bases
    self.keyframes = keyframes.sorted()
    self.usual = usual
    holes = HoleScan.common(Array(scans.values))
    end = scans.values.map(\.end).max() ?? .zero
  }

  /// Number of samples that determine the usual duration.
  private static let durationSamples = 600

  private static func usual(_ part: RecordingPart) throws -> [TrackKind: MediaTime] {
    try part.recorded.mapValues { track in
      var cursor = SampleCursor(part, track)
      var durations: [Int64] = []
      while durations.count < durationSamples, let sample = try cursor.next() {
        if sample.duration > 0 { durations.append(sample.duration) }
      }
      guard !durations.isEmpty else { return .milliseconds(20) }
      return MediaTime(ticks: durations.sorted()[durations.count / 2], timescale: track.timescale)
    }
  }
}
