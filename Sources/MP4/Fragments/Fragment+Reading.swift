extension Fragment {
  static let maxMovieLength = 4 << 20
  private static let maxSamples = 1 << 20
  private static let maxParts = 32

  /// Parses the `moof` box at `movie`, which `mediaLength` bytes of media follow; `media` is left empty.
  init(
    _ content: BoxReader, movie: Range<Int>, mediaLength: Int, tracks: [RecordedTrack]
  ) throws(FragmentedFileError) {
    // Each sample takes a byte of the description or of the media at least: else a few bytes could claim any number.
    var samplesLeft = min(Self.maxSamples, content.count + mediaLength)
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
        guard found == nil else { throw .damaged("a fragment with two sequence numbers") }
        found = (try content.uint32(), offset + 12)
      case "traf":
        let reading = try PartReading(
          box.content, fragment: movie.lowerBound, maxSamples: samplesLeft, tracks: tracks)
        samplesLeft -= reading.part.samples.count
        isBoundToPlace = isBoundToPlace || reading.isBoundToPlace
        hasUnknownBoxes = hasUnknownBoxes || reading.hasUnknownBoxes
        guard parts.count < Self.maxParts, !parts.contains(where: { $0.track == reading.part.track }) else {
          throw .damaged("a fragment with a track twice")
        }
        parts.append(reading.part)
      case "free", "skip", "uuid", "meta": break
      default: hasUnknownBoxes = true
      }
    }
    guard let found else { throw .damaged("a fragment without a sequence number") }
    self.movie = movie
    media = movie.upperBound..<movie.upperBound
    (number, numberOffset) = found
    self.parts = parts
    self.isBoundToPlace = isBoundToPlace
    self.hasUnknownBoxes = hasUnknownBoxes
  }

  private struct PartReading {
    private(set) var part: Part
    private(set) var isBoundToPlace = false
    private(set) var hasUnknownBoxes = false
    /// Base of the data offsets: the start of the fragment, or an offset in the file.
    private var base: Int
    private var defaults: SampleDefaults
    private let maxSamples: Int

    /// Later than any recording ends, and safe from overflow.
    private static let latest: Int64 = 1 << 56

    init(
      _ content: BoxReader, fragment start: Int, maxSamples: Int, tracks: [RecordedTrack]
    ) throws(FragmentedFileError) {
      let boxes = try content.boxes()
      guard var head = boxes.first(where: { $0.type == "tfhd" })?.content else {
        throw .damaged("a fragment of an unknown track")
      }
      guard var time = boxes.first(where: { $0.type == "tfdt" })?.content else {
        throw .damaged("a fragment without a time")
      }
      self.maxSamples = maxSamples
      let flags = try head.versionAndFlags().flags
      let id = try head.uint32()
      guard let track = tracks.first(where: { $0.id == id }) else {
        throw .damaged("a fragment of an unknown track")
      }
      base = start
      if flags & 0x01 != 0 {
        guard let place = Int(exactly: try head.number(bytes: 8)), place < 1 << 60 else {
          throw .tooLarge("an offset in the file")
        }
        base = place
        isBoundToPlace = true
      }
      defaults = track.defaults
      if flags & 0x02 != 0 { try head.skip(4) }
      if flags & 0x08 != 0 { defaults.duration = try head.uint32() }
      if flags & 0x10 != 0 { defaults.size = try head.uint32() }
      if flags & 0x20 != 0 { defaults.flags = try head.uint32() }
      let version = try time.versionAndFlags().version
      let ticks = try time.number(bytes: version == 1 ? 8 : 4)
      guard ticks < UInt64(Self.latest) else { throw .tooLarge("a time of \(ticks)") }
      part = Part(track: id, start: Int64(ticks))
      var place = base
      for box in boxes {
        switch box.type {
        case "tfhd", "tfdt", "sdtp", "sbgp", "sgpd", "subs", "free", "skip", "uuid": break
        case "trun": try addRun(box.content, at: &place)
        default: hasUnknownBoxes = true
        }
      }
    }

    /// `place` is the end of the run before.
    private mutating func addRun(_ content: BoxReader, at place: inout Int) throws(FragmentedFileError) {
      var content = content
      let (version, flags) = try content.versionAndFlags()
      let count = Int(try content.uint32())
      if flags & 0x001 != 0 { place = base + Int(Int32(bitPattern: try content.uint32())) }
      let firstFlags = flags & 0x004 != 0 ? try content.uint32() : nil
      guard part.samples.count + count <= maxSamples else {
        throw .tooLarge("\(count) samples in a fragment")
      }
      let fields = [UInt32(0x100), 0x200, 0x400, 0x800].count { flags & $0 != 0 }
      guard content.count == 4 * fields * count else {
        throw .damaged("a run is longer or shorter than its samples")
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
      part.runs.append(count)
      guard time < Self.latest else { throw .tooLarge("a time of \(time)") }
    }
  }
}
