/// What stands in front of a recording's fragments: which tracks there are, and how they are to be decoded.
package struct RecordingHead: Hashable, Sendable {
  package let tracks: [RecordedTrack]
  /// `ftyp` and `moov` as they lie in the file.
  package let bytes: [UInt8]
  /// How the samples of a track are packed, by its number.
  let formats: [UInt32: SampleFormat]

  package init(_ source: RecordingBytes) throws(FragmentedFileError) {
    let (movie, end) = try source.movie()
    bytes = try source.all(0..<end)
    tracks = try RecordedTrack.tracks(ofMovie: movie)
    formats = try SampleFormat.formats(ofMovie: movie)
  }

  /// The head of `source`, and where its fragments begin. Where it has none that can be read, `other` stands in for it,
  /// and the fragments have to be searched for.
  package static func of(
    _ source: RecordingBytes, like other: RecordingHead?
  ) throws(FragmentedFileError) -> (RecordingHead, start: Int?) {
    guard let other else {
      let own = try RecordingHead(source)
      return (own, start: own.bytes.count)
    }
    return (other, start: (try? RecordingHead(source))?.bytes.count)
  }
}
