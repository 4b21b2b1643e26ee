import HoldfastMP4
import HoldfastMediaModel
import HoldfastRecording

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
  init(_ parts: [RecordingPart], origins: [MediaTime?]) throws(RecordingFileError) {
    do {
      try self.init(reading: parts, origins)
    } catch let error as RecordingFileError {
      throw error
    } catch {
      throw RecordingFileError(unusable: parts[0].path, "\(error)")
    }
  }

  private init(reading parts: [RecordingPart], _ origins: [MediaTime?]) throws {
    self.parts = parts
    var usual: [TrackKind: MediaTime] = [:]
    for kind in parts[0].recorded.keys { usual[kind] = try Self.usual(parts[0], kind) }
    var scans = parts[0].recorded.mapValues { HoleScan(usual: usual[$0.kind ?? .video] ?? .zero, $0.kind) }
    var bases: [MediaTime] = []
    var keyframes: [MediaTime] = []
    for (index, part) in parts.enumerated() {
      let previousEnd = scans.values.map(\.end).max() ?? .zero
      var base = previousEnd
      if let first = origins[0], let origin = origins[index] { base = max(base, origin - first) }
      if index == 0 { base = .zero }
      bases.append(base)
      for kind in part.recorded.keys {
        var cursor = SampleCursor([part], kind)
        while let found = try cursor.next() {
          let time = base + found.time
          scans[kind]?.add(time, lasting: found.duration)
          if kind == .video, found.sample.isKeyframe { keyframes.append(time + found.delay) }
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

  private static func usual(_ part: RecordingPart, _ kind: TrackKind) throws -> MediaTime {
    var cursor = SampleCursor([part], kind)
    var durations: [MediaTime] = []
    while durations.count < durationSamples, let found = try cursor.next() {
      if found.sample.duration > 0 { durations.append(found.duration) }
    }
    return durations.isEmpty ? .milliseconds(20) : durations.sorted()[durations.count / 2]
  }
}
