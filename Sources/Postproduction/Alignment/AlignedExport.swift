import HoldfastFFmpeg
import HoldfastMP4
package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastRecording

/// Writes one file with all recordings as tracks, each laid at its wall times. Nothing is encoded.
package struct AlignedExport: Sendable {
  package enum Container: String, Hashable, Sendable, CaseIterable {
    case mkv, mov
  }

  package struct Result: Hashable, Sendable {
    package let duration: MediaTime
    package let bytes: Int
    package let tracks: Int
  }

  private let alignment: Alignment
  private let output: String
  private let container: Container
  private let lanes: [AlignedLane]

  /// Writes nothing.
  package init(_ alignment: Alignment, to output: String, _ container: Container) throws(RecordingFileError) {
    if let failure = alignment.failures.first { throw failure }
    guard !isTaken(output) else { throw .taken(output) }
    lanes = alignment.lanes
    if container == .mov {
      for part in lanes.flatMap(\.parts) where part.part.tracks.values.contains(where: { $0.codec == .opus })
      {
        throw RecordingFileError(
          .misuse, part.path, "its sound is Opus, which a .mov file can't hold", hint: "choose --to FILE.mkv")
      }
    }
    self.alignment = alignment
    self.output = output
    self.container = container
  }

  package var expected: MediaTime { alignment.length }

  /// Writes a temporary file and renames it when complete. `progress` receives the time laid so far.
  package func run(
    progress: (MediaTime) -> Void = { _ in }, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(RecordingFileError) -> Result {
    let file = JoinedFile(name: output, source: alignment.recordings[0].path, isCancelled: isCancelled)
    var described: [Track] = []
    var titles: [String] = []
    var tracks: [LaidTrack] = []
    for (lane, title) in zip(lanes, AlignedLane.titles(of: lanes)) {
      for kind in TrackKind.allCases {
        guard let track = lane.parts[0].part.tracks[kind] else { continue }
        described.append(track)
        titles.append(title)
        tracks.append(LaidTrack(kind, of: lane, since: alignment.start))
      }
    }
    let (end, bytes) = try file.write { path in
      var muxer = try FileMuxer(
        path: path, container: container.format, tracks: described, titles: titles, begins: alignment.start,
        options: container.options, isCancelled: isCancelled)
      let end = try file.copy(tracks, to: &muxer, progress)
      try muxer.finish()
      return end
    }
    return Result(duration: end, bytes: bytes, tracks: tracks.count)
  }
}

extension AlignedExport.Container {
  /// FFmpeg's name.
  fileprivate var format: String {
    switch self {
    case .mkv: "matroska"
    case .mov: "mov"
    }
  }

  /// For a QuickTime file, a timescale in which tracks begin to the sample, and the index in front.
  fileprivate var options: [(name: String, value: String)] {
    switch self {
    case .mkv: []
    case .mov: [("movflags", "faststart"), ("movie_timescale", "48000")]
    }
  }
}
