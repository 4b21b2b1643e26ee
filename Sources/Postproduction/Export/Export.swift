import HoldfastFFmpeg
import HoldfastMP4
package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastRecording

/// Joins the parts of a recording into one ordinary file without re-encoding. Torn ends are left out.
package struct Export: Sendable {
  package enum Container: String, Hashable, Sendable, CaseIterable {
    case mp4, mkv
  }

  package enum Gaps: String, Hashable, Sendable, CaseIterable {
    /// Gaps are cut out.
    case close
    /// Gaps are filled with black and silence for their wall-clock duration.
    case keep
  }

  package struct Request: Sendable {
    package var parts: [String]
    package var output: String
    package var container: Container
    package var gaps = Gaps.close
    package var hasChapters = true
    /// Path of a caption file with the causes of the gaps; nil for none.
    package var captions: String?
    /// Path of the journal; nil to search for it.
    package var journal: String?
    package var environment: [String: String]

    package init(parts: [String], output: String, container: Container, environment: [String: String] = [:]) {
      self.parts = parts
      self.output = output
      self.container = container
      self.environment = environment
    }
  }

  package struct Result: Hashable, Sendable {
    package let duration: MediaTime
    package let bytes: Int
    package let gaps: [ExportGap]
  }

  private let request: Request
  private let plan: ExportPlan
  private let timeline: ExportTimeline
  package let notes: [String]

  package var gaps: [ExportGap] { timeline.gaps }
  /// Approximate duration of the export.
  package let expected: MediaTime

  /// Reads the parts; writes nothing.
  package init(_ request: Request) throws(RecordingFileError) {
    silenceFFmpeg()
    for path in [request.output] + (request.captions.map { [$0] } ?? []) where isTaken(path) {
      throw .taken(path)
    }
    var parts: [RecordingPart] = []
    for path in request.parts { parts.append(try RecordingPart(path: path)) }
    try Self.checkSameTracks(parts)
    let found = try Self.journal(request)
    let origins = request.parts.map { found?.span(of: $0)?.origin }
    plan = try ExportPlan(parts, origins: origins)
    let placement = GapPlacement(plan, journal: found?.journal, origin: origins.first.flatMap { $0 } ?? .zero)
    timeline = ExportTimeline(placement.gaps, keepsGaps: request.gaps == .keep)
    expected = timeline.time(plan.end)
    notes = Self.notes(parts, hasJournal: found != nil, request)
    self.request = request
  }

  private static func journal(_ request: Request) throws(RecordingFileError) -> RecordingJournal? {
    guard let path = request.journal else {
      return request.parts.lazy.compactMap {
        RecordingJournal.find(for: $0, environment: request.environment)
      }.first
    }
    return try .named(path)
  }

  private static func checkSameTracks(_ parts: [RecordingPart]) throws(RecordingFileError) {
    let first = parts[0]
    for part in parts.dropFirst() {
      for kind in TrackKind.allCases {
        guard let difference = difference(first.tracks[kind], part.tracks[kind], kind) else { continue }
        throw RecordingFileError(
          .unusable, part.path, "\(difference) from \(first.path), so the two can't be joined",
          hint: "export it separately: holdfast export \(part.path) --output …")
      }
    }
  }

  /// Ignores frame rates, which are estimates.
  static func difference(_ first: Track?, _ other: Track?, _ kind: TrackKind) -> String? {
    guard let first, let other else {
      return (first == nil) == (other == nil)
        ? nil : "its tracks (\(kind.rawValue) in only one of the two) differ"
    }
    guard first.codec == other.codec else { return "its codec (\(other.codec.name)) differs" }
    switch (first.format, other.format) {
    case (.video(let one), .video(let two)) where one.size != two.size:
      return "its picture size (\(two.size)) differs"
    case (.audio(let one), .audio(let two)) where one != two: return "its audio format (\(two)) differs"
    case (.video, _), (.audio, _): break
    }
    return first.headers == other.headers
      ? nil : "its \(other.codec.name) headers (another encoder, or other settings) differ"
  }

  private static func notes(_ parts: [RecordingPart], hasJournal: Bool, _ request: Request) -> [String] {
    var notes: [String] = []
    for part in parts {
      if part.isTorn { notes.append("\(part.path): its end is torn; everything before it is exported") }
      if part.damages > 0 { notes.append("\(part.path): damaged in \(part.damages) places, left as gaps") }
    }
    if !hasJournal { notes.append("no journal found: interruptions and causes of gaps are unknown") }
    if let next = parts.last.flatMap({ RecordingName.nextPart(of: $0.path) }), fileExists(next) {
      notes.append("\(next) is the next part; add it to the command to include it")
    }
    return notes
  }

  /// Writes a temporary file and renames it when complete. `progress` receives the time exported so far.
  package func run(
    progress: (MediaTime) -> Void = { _ in }, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(RecordingFileError) -> Result {
    let file = JoinedFile(name: request.output, source: request.parts[0], isCancelled: isCancelled)
    let (end, bytes) = try file.write { path in
      let kinds = TrackKind.allCases.filter { plan.parts[0].tracks[$0] != nil }
      let tracks = try kinds.map { ExportedTrack($0, plan, timeline, filler: try filler($0)) }
      var muxer = try FileMuxer(
        path: path, container: request.container == .mp4 ? "mp4" : "matroska",
        tracks: kinds.compactMap { plan.parts[0].tracks[$0] }, options: request.container.options,
        areHeadersInBand: tracks.contains { $0.areHeadersInBand }, isCancelled: isCancelled)
      let end = try file.copy(tracks, to: &muxer, progress)
      if request.hasChapters { try muxer.setChapters(timeline.chapters, end: end) }
      try muxer.finish()
      return end
    } complete: { end in
      try writeCaptions(end: end)
    }
    return Result(duration: end, bytes: bytes, gaps: timeline.gaps)
  }

  private func filler(_ kind: TrackKind) throws -> Filler? {
    guard request.gaps == .keep, !timeline.seams.isEmpty, let track = plan.parts[0].tracks[kind] else {
      return nil
    }
    if case .video(let format) = track.format,
      format.size.width * format.size.height > plan.parts[0].maxPixels
    {
      throw RecordingFileError(
        .unusable, request.parts[0], "its pictures (\(format.size)) are too large to fill its gaps with such",
        hint: "use --gaps close")
    }
    return try Filler(track, usual: plan.usual[kind] ?? .milliseconds(20))
  }

  private func writeCaptions(end: MediaTime) throws {
    guard let path = request.captions else { return }
    var captions = Captions()
    let timed = timeline.gaps.map { (timeline.caption(of: $0, end: end), $0.title) }
    for (time, title) in timed.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) { captions.add(time, title) }
    try writeNewFile(path, captions.text)
  }
}

extension Export.Container {
  /// For MP4, puts the index in front, so that the file plays while it loads.
  fileprivate var options: [(name: String, value: String)] {
    switch self {
    case .mp4: [("movflags", "faststart"), ("movie_timescale", "48000"), ("strict", "experimental")]
    case .mkv: []
    }
  }
}
