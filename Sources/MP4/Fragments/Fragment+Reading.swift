extension Fragment {
  /// More than the description of any fragment takes, and more samples of a track than any has.
  static let maxMovieLength = 4 << 20
  private static let maxSamples = 1 << 24
  /// A few bytes can claim any number of samples of which nothing is said one by one. Where they are more than these, each
  /// has bytes in the file.
  private static let maxEmptySamples = 1 << 16
  private static let maxParts = 32

  /// Reads the `moof` box at `movie` of a file of `fileSize` bytes, whose `content` it is. Where the samples end is not known
  /// yet: `media` is empty.
  init(
    _ content: BoxBytes, movie: Range<Int>, fileSize: Int, tracks: [RecordedTrack]
  ) throws(FragmentedFileError) {
    var found: (number: UInt32, offset: Int)?
    var parts: [Part] = []
    var isBoundToPlace = false
    var hasUnknownBoxes = false
    var rest = content
    while !rest.isAtEnd {
      let offset = movie.upperBound - rest.count
      let box = try rest.box()
      switch box.type {
      case "mfhd":
        var content = box.content
        try content.skip(4)
        guard found == nil else { throw .damaged("a fragment with two numbers") }
        found = (try content.uint32(), offset + 12)
      case "traf":
        var reading = PartReading(tracks: tracks, base: movie.lowerBound, fileSize: fileSize)
        let part = try reading.part(box.content)
        isBoundToPlace = isBoundToPlace || reading.isBoundToPlace
        hasUnknownBoxes = hasUnknownBoxes || reading.hasUnknownBoxes
        guard parts.count < Self.maxParts, !parts.contains(where: { $0.track == part.track }) else {
          throw .damaged("a fragment with a track twice")
        }
        parts.append(part)
      case "free", "skip", "uuid", "meta": break
      default: hasUnknownBoxes = true
      }
    }
    guard let found else { throw .damaged("a fragment without a number") }
    self.movie = movie
    media = movie.upperBound..<movie.upperBound
    (number, numberOffset) = found
    self.parts = parts
    self.isBoundToPlace = isBoundToPlace
    self.hasUnknownBoxes = hasUnknownBoxes
  }

  /// Reads what a fragment holds of one track.
  private struct PartReading {
    let tracks: [RecordedTrack]
    /// Where offsets are counted from.
    var base: Int
    let fileSize: Int
    var isBoundToPlace = false
    var hasUnknownBoxes = false
    private var defaults = SampleDefaults()

    /// Later than any recording is long, and far from any overflow.
    private let latest: Int64 = 1 << 56

    init(tracks: [RecordedTrack], base: Int, fileSize: Int) {
      self.tracks = tracks
      self.base = base
      self.fileSize = fileSize
    }

    mutating func part(_ content: BoxBytes) throws(FragmentedFileError) -> Part {
      let boxes = try content.boxes()
      guard let head = boxes.first(where: { $0.type == "tfhd" }) else {
        throw .damaged("a fragment of no track")
      }
      guard let time = boxes.first(where: { $0.type == "tfdt" }) else {
        throw .damaged("a fragment without a time")
      }
      let about = try TrackFragmentHead(head.content, tracks: tracks)
      defaults = about.defaults
      base = about.place ?? base
      isBoundToPlace = about.place != nil
      var part = Part(track: about.track.id, start: try time.content.decodeTime(before: latest))
      var place = base
      for box in boxes {
        switch box.type {
        case "tfhd", "tfdt", "sdtp", "sbgp", "sgpd", "subs", "free", "skip", "uuid": break
        case "trun": try addRun(box.content, to: &part, at: &place)
        default: hasUnknownBoxes = true
        }
      }
      return part
    }

    /// `place`: where the run before it ends.
    private func addRun(
      _ content: BoxBytes, to part: inout Part, at place: inout Int
    ) throws(FragmentedFileError) {
      var content = content
      let (version, flags) = try content.versionAndFlags()
      let count = Int(try content.uint32())
      if flags & 0x001 != 0 { place = base + Int(Int32(bitPattern: try content.uint32())) }
      let firstFlags = flags & 0x004 != 0 ? try content.uint32() : nil
      let total = part.samples.count + count
      let haveBytes = defaults.size > 0 && place + count * Int(defaults.size) <= fileSize
      guard total <= maxSamples, flags & 0xF00 != 0 || haveBytes || total <= maxEmptySamples else {
        throw .tooLarge("\(count) samples in a fragment")
      }
      var time = part.end
      for index in 0..<count {
        let duration = flags & 0x100 != 0 ? try content.uint32() : defaults.duration
        let size = flags & 0x200 != 0 ? try content.uint32() : defaults.size
        let own = flags & 0x400 != 0 ? try content.uint32() : defaults.flags
        let delay = flags & 0x800 != 0 ? try content.uint32() : 0
        let bytes = place..<place + Int(size)
        part.samples.append(
          Sample(
            time: time, duration: Int64(duration),
            delay: version == 0 ? Int64(delay) : Int64(Int32(bitPattern: delay)),
            flags: index == 0 ? firstFlags ?? own : own, bytes: bytes))
        time += Int64(duration)
        place = bytes.upperBound
      }
      guard content.isAtEnd else { throw .damaged("a run is longer than its samples") }
      part.runs.append(count)
      guard time < latest else { throw .tooLarge("a time of \(time)") }
    }
  }
}
