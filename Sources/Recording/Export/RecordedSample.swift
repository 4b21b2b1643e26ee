/// One sample of a track, and where its bytes lie in the file.
struct RecordedSample: Hashable, Sendable {
  /// When it is decoded, in the track's ticks.
  let time: Int64
  /// How much later it is shown.
  let delay: Int64
  let duration: Int64
  let isKeyframe: Bool
  let bytes: Range<Int>
}

extension RecordedSample {
  /// More than any fragment of ours has.
  private static let most = 1 << 18

  /// The samples of `track` in the fragment whose `moof` box has the content `movie` and begins at `offset`; the
  /// fragment ends at `end`.
  static func samples(
    of track: RecordedTrack, in movie: BoxBytes, at offset: Int, end: Int
  ) throws(FragmentedFileError) -> [RecordedSample] {
    var samples: [RecordedSample] = []
    for box in try movie.boxes() where box.type == FourCharacters("traf") {
      let boxes = try box.content.boxes()
      guard let head = boxes.first(where: { $0.type == FourCharacters("tfhd") }),
        let start = boxes.first(where: { $0.type == FourCharacters("tfdt") })
      else { throw .damaged("a fragment of no track") }
      guard var reading = try RunReading(head.content, track: track, offset: offset, end: end) else {
        continue
      }
      try reading.readStart(start.content)
      for run in boxes where run.type == FourCharacters("trun") {
        try reading.read(run.content, into: &samples)
        guard samples.count <= most else { throw .tooLarge("\(samples.count) samples in a fragment") }
      }
    }
    return samples
  }

  /// Goes through the runs of one `traf` box.
  private struct RunReading {
    private var defaults: SampleDefaults
    /// Where offsets are counted from.
    private var base: Int
    private let end: Int
    private var time: Int64 = 0
    /// Where the next sample's bytes are, unless its run says so.
    private var place: Int

    /// Nil where it is another track's.
    init?(
      _ head: BoxBytes, track: RecordedTrack, offset: Int, end: Int
    ) throws(FragmentedFileError) {
      var head = head
      let flags = try head.versionAndFlags().flags
      guard try head.uint32() == track.id else { return nil }
      defaults = track.defaults
      base = offset
      self.end = end
      if flags & 0x01 != 0 { base = Int(clamping: try head.number(bytes: 8)) }
      if flags & 0x02 != 0 { try head.skip(4) }
      if flags & 0x08 != 0 { defaults.duration = try head.uint32() }
      if flags & 0x10 != 0 { defaults.size = try head.uint32() }
      if flags & 0x20 != 0 { defaults.flags = try head.uint32() }
      place = base
    }

    mutating func readStart(_ content: BoxBytes) throws(FragmentedFileError) {
      var content = content
      let version = try content.versionAndFlags().version
      time = Int64(clamping: try content.number(bytes: version == 1 ? 8 : 4))
    }

    mutating func read(_ content: BoxBytes, into samples: inout [RecordedSample]) throws(FragmentedFileError)
    {
      var content = content
      let (version, flags) = try content.versionAndFlags()
      let count = Int(try content.uint32())
      guard count <= RecordedSample.most else { throw .tooLarge("\(count) samples in a run") }
      if flags & 0x001 != 0 {
        place = base.addingReportingOverflow(Int(Int32(bitPattern: try content.uint32()))).partialValue
      }
      let first = flags & 0x004 != 0 ? try content.uint32() : nil
      for index in 0..<count {
        let duration = flags & 0x100 != 0 ? try content.uint32() : defaults.duration
        let size = Int(flags & 0x200 != 0 ? try content.uint32() : defaults.size)
        let own = flags & 0x400 != 0 ? try content.uint32() : defaults.flags
        let delay = flags & 0x800 != 0 ? try content.uint32() : 0
        guard place >= 0, place <= end, size <= end - place, time < 1 << 60 else {
          throw .damaged("a fragment's samples are not in it")
        }
        samples.append(
          RecordedSample(
            time: time, delay: version == 0 ? Int64(delay) : Int64(Int32(bitPattern: delay)),
            duration: Int64(duration), isKeyframe: (index == 0 ? first ?? own : own) & 0x1_0000 == 0,
            bytes: place..<place + size))
        place += size
        time += Int64(duration)
      }
    }
  }
}
