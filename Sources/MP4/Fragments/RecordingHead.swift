/// The head of a recording: its tracks, and how to decode them.
package struct RecordingHead: Hashable, Sendable {
  package let tracks: [RecordedTrack]
  /// `ftyp` and `moov`, verbatim.
  package let bytes: [UInt8]
  /// Offset of the first fragment; nil if it must be searched for.
  private(set) var start: Int?
  let formats: [UInt32: SampleFormat]

  /// `other` replaces a head that may be damaged; `start` is still taken from `source` if possible.
  package init(_ source: RecordingBytes, like other: RecordingHead? = nil) throws(FragmentedFileError) {
    if let other {
      self = other
      start = (try? RecordingHead(source))?.start
      return
    }
    let (movie, end) = try source.movie()
    bytes = try source.all(0..<end)
    start = end
    tracks = try RecordedTrack.tracks(ofMovie: movie)
    formats = try SampleFormat.formats(ofMovie: movie)
  }
}

/// The packing of a track's samples, as far as their bytes can be checked by it.
struct SampleFormat: Hashable, Sendable {
  /// `avc1`, `mp4a`.
  let name: BoxType
  /// Size of the NAL unit lengths in bytes; nil if samples do not consist of units.
  let lengthSize: Int?

  fileprivate static func formats(
    ofMovie movie: BoxReader
  ) throws(FragmentedFileError) -> [UInt32: SampleFormat] {
    var formats: [UInt32: SampleFormat] = [:]
    for track in try movie.boxes() where track.type == "trak" {
      guard let id = try track.content.content(of: "tkhd")?.fieldAfterTimes(),
        let table = try track.content.content(of: "mdia", "minf", "stbl", "stsd")
      else { continue }
      formats[id] = try SampleFormat(table)
    }
    return formats
  }

  private init?(_ table: BoxReader) throws(FragmentedFileError) {
    var table = table
    try table.skip(8)
    guard !table.isAtEnd else { return nil }
    let entry = try table.box()
    name = entry.type
    lengthSize = try Self.lengthSize(of: entry)
  }

  private static func lengthSize(of entry: BoxReader.Box) throws(FragmentedFileError) -> Int? {
    let place: (box: BoxType, offset: Int)
    switch entry.type {
    case "avc1", "avc3": place = ("avcC", 4)
    case "hvc1", "hev1": place = ("hvcC", 21)
    default: return nil
    }
    var content = entry.content
    // Fixed fields of a visual sample entry.
    try content.skip(78)
    guard var settings = try content.content(of: place.box) else { return nil }
    try settings.skip(place.offset)
    return Int(try settings.number(bytes: 1) & 3) + 1
  }
}
