/// What a `tfhd` box says: which track its fragment's part is of, and what its samples have of which nothing is said one by one.
struct TrackFragmentHead: Hashable, Sendable {
  let track: RecordedTrack
  let defaults: SampleDefaults
  /// Where offsets are counted from, where that is a place in the file; nil where it is the fragment's beginning.
  let place: Int?

  init(_ content: BoxBytes, tracks: [RecordedTrack]) throws(FragmentedFileError) {
    var content = content
    let flags = try content.versionAndFlags().flags
    let id = try content.uint32()
    guard let track = tracks.first(where: { $0.id == id }) else { throw .damaged("a fragment of no track") }
    self.track = track
    if flags & 0x01 != 0 {
      guard let place = Int(exactly: try content.number(bytes: 8)), place < 1 << 60 else {
        throw .tooLarge("a place in the file")
      }
      self.place = place
    } else {
      place = nil
    }
    var defaults = track.defaults
    if flags & 0x02 != 0 { try content.skip(4) }
    if flags & 0x08 != 0 { defaults.duration = try content.uint32() }
    if flags & 0x10 != 0 { defaults.size = try content.uint32() }
    if flags & 0x20 != 0 { defaults.flags = try content.uint32() }
    self.defaults = defaults
  }
}

extension BoxBytes {
  /// What a `tfdt` box says: when the first sample is decoded, in its track's ticks.
  func decodeTime(before latest: Int64) throws(FragmentedFileError) -> Int64 {
    var content = self
    let version = try content.versionAndFlags().version
    let value = try content.number(bytes: version == 1 ? 8 : 4)
    guard value < UInt64(latest) else { throw .tooLarge("a time of \(value)") }
    return Int64(value)
  }
}
