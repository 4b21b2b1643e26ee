/// What stands in front of a recording's fragments: which tracks there are, and how they are to be decoded.
package struct RecordingHead: Hashable, Sendable {
  package let tracks: [RecordedTrack]
  /// `ftyp` and `moov` as they lie in the file.
  let bytes: [UInt8]
  /// How the samples of a track are packed, by its number.
  let formats: [UInt32: SampleFormat]

  /// More than the head of any recording takes.
  private static let longest = 1 << 20

  package init(_ source: RecordingBytes) throws(FragmentedFileError) {
    var offset = 0
    while offset < Self.longest {
      guard let head = source.boxHead(at: offset), let length = head.length, length <= source.size - offset
      else { throw .foreign("its head is not whole") }
      guard offset > 0 || head.type == FourCharacters("ftyp") else { throw .foreign("it begins otherwise") }
      if head.type == FourCharacters("moov") {
        guard offset + length <= Self.longest else { throw .tooLarge("a head of \(offset + length) bytes") }
        bytes = try source.all(0..<offset + length)
        let movie = BoxBytes(bytes[(offset + head.size)...])
        tracks = try RecordedTrack.tracks(ofMovie: movie)
        formats = try SampleFormat.formats(ofMovie: movie)
        return
      }
      offset += length
    }
    throw .foreign("its head is missing")
  }

  /// The head of `source`, and where its fragments begin. Where it has none that can be read, `other` stands in for it,
  /// and the fragments have to be searched for.
  static func of(
    _ source: RecordingBytes, like other: RecordingHead?
  ) throws(FragmentedFileError) -> (RecordingHead, start: Int?) {
    guard let other else {
      let own = try RecordingHead(source)
      return (own, start: own.bytes.count)
    }
    return (other, start: (try? RecordingHead(source))?.bytes.count)
  }
}

extension FourCharacters {
  /// As it is written, where it can be.
  var text: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    return bytes.allSatisfy { (0x20..<0x7F).contains($0) } ? String(decoding: bytes, as: UTF8.self) : "????"
  }
}
