package import HoldfastMediaModel

/// A track as the head of a fragmented file describes it.
package struct RecordedTrack: Hashable, Sendable {
  package let id: UInt32
  /// Nil for neither video nor audio.
  package let kind: TrackKind?
  package let timescale: Int
  var defaults = SampleDefaults()

  /// Ten years, in ticks: later than any recording ends, and safe from overflow.
  var latest: Int64 { Int64(timescale) * 315_360_000 }

  package func time(_ ticks: Int64) -> MediaTime { MediaTime(ticks: ticks, timescale: timescale) }
}

/// Defaults of a track's samples, from its `trex` box.
struct SampleDefaults: Hashable, Sendable {
  var duration: UInt32 = 0
  var size: UInt32 = 0
  var flags: UInt32 = 0
}

extension RecordedTrack {
  private static let maxTracks = 32

  static func tracks(ofMovie movie: BoxReader) throws(FragmentedFileError) -> [RecordedTrack] {
    var tracks: [RecordedTrack] = []
    var defaults: [UInt32: SampleDefaults] = [:]
    for box in try movie.boxes() {
      switch box.type {
      case "trak": tracks.append(try RecordedTrack(box.content))
      case "mvex":
        for box in try box.content.boxes() where box.type == "trex" {
          var content = box.content
          try content.skip(4)
          let id = try content.uint32()
          try content.skip(4)
          defaults[id] = SampleDefaults(
            duration: try content.uint32(), size: try content.uint32(), flags: try content.uint32())
        }
      default: break
      }
      guard tracks.count <= maxTracks else { throw .tooLarge("\(tracks.count) tracks") }
    }
    guard !defaults.isEmpty else { throw .foreign("it is not fragmented") }
    guard Set(tracks.map(\.id)).count == tracks.count else { throw .damaged("two tracks with the same id") }
    for index in tracks.indices { tracks[index].defaults = defaults[tracks[index].id] ?? SampleDefaults() }
    return tracks
  }

  private init(_ track: BoxReader) throws(FragmentedFileError) {
    guard let id = try track.content(of: "tkhd")?.fieldAfterTimes(),
      let timescale = try track.content(of: "mdia", "mdhd")?.fieldAfterTimes(), timescale > 0
    else { throw .damaged("a track without a description") }
    self.id = id
    self.timescale = Int(timescale)
    var handler = try track.content(of: "mdia", "hdlr")
    try handler?.skip(8)
    kind =
      switch try handler?.uint32() {
      case BoxType("vide").code: .video
      case BoxType("soun").code: .audio
      default: nil
      }
  }
}
