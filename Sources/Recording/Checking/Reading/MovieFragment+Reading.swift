extension MovieFragment {
  /// More than the description of any fragment takes, and more samples than any has.
  static let longestMovie = 4 << 20
  private static let mostSamples = 1 << 16
  private static let mostParts = 32

  /// Reads the `moof` box whose `content` begins at `contentOffset`. Where the samples end is not known yet: `media` is
  /// empty.
  init(
    _ content: BoxBytes, contentOffset: Int, movie: Range<Int>, tracks: [RecordedTrack]
  ) throws(FragmentedFileError) {
    var found: (number: UInt32, offset: Int)?
    var parts: [Part] = []
    var isBound = false
    var rest = content
    while !rest.isAtEnd {
      let offset = contentOffset + content.count - rest.count
      let box = try rest.box()
      switch box.type {
      case FourCharacters("mfhd"):
        var content = box.content
        try content.skip(4)
        guard found == nil else { throw .damaged("a fragment with two numbers") }
        found = (try content.uint32(), offset + 12)
      case FourCharacters("traf"):
        var reading = PartReading(tracks: tracks, movie: movie)
        let part = try reading.part(box.content)
        isBound = isBound || reading.isBound
        guard parts.count < Self.mostParts, !parts.contains(where: { $0.track == part.track }) else {
          throw .damaged("a fragment with a track twice")
        }
        parts.append(part)
      case FourCharacters("free"), FourCharacters("skip"), FourCharacters("uuid"), FourCharacters("meta"):
        break
      default: throw .damaged("a fragment with a box that is none")
      }
    }
    guard let found else { throw .damaged("a fragment without a number") }
    self.movie = movie
    media = movie.upperBound..<movie.upperBound
    (number, numberOffset) = found
    self.parts = parts
    isBoundToPlace = isBound
  }

  /// Reads what a fragment holds of one track.
  private struct PartReading {
    let tracks: [RecordedTrack]
    let movie: Range<Int>
    private(set) var isBound = false
    private var defaults = SampleDefaults()
    private var base: Int

    /// Later than any recording is long, and far from any overflow.
    private let latest: Int64 = 1 << 56

    init(tracks: [RecordedTrack], movie: Range<Int>) {
      self.tracks = tracks
      self.movie = movie
      base = movie.lowerBound
    }

    mutating func part(_ content: BoxBytes) throws(FragmentedFileError) -> Part {
      var part: Part?
      var track: UInt32?
      var next: Int?
      for box in try content.boxes() {
        switch box.type {
        case FourCharacters("tfhd"): track = try head(box.content)
        case FourCharacters("tfdt"):
          guard let track, part == nil else { throw .damaged("a fragment of no track") }
          part = Part(track: track, start: try box.content.decodeTime(before: latest))
        case FourCharacters("trun"):
          guard var current = part else { throw .damaged("a fragment without a time") }
          // One owner at a time, or its samples would be copied.
          part = nil
          next = try addRun(box.content, to: &current, behind: next)
          part = current
        case FourCharacters("sdtp"), FourCharacters("sbgp"), FourCharacters("sgpd"), FourCharacters("subs"),
          FourCharacters("free"), FourCharacters("skip"), FourCharacters("uuid"):
          break
        default: throw .damaged("a fragment with a box that is none")
        }
      }
      guard let part else { throw .damaged("a fragment without a time") }
      return part
    }

    private mutating func head(_ content: BoxBytes) throws(FragmentedFileError) -> UInt32 {
      let head = try TrackFragmentHead(content, tracks: tracks)
      defaults = head.defaults
      if let place = head.place {
        base = place
        isBound = true
      }
      return head.track.id
    }

    /// Where the run ends.
    private mutating func addRun(
      _ content: BoxBytes, to part: inout Part, behind previous: Int?
    ) throws(FragmentedFileError) -> Int {
      var content = content
      let (version, flags) = try content.versionAndFlags()
      let count = Int(try content.uint32())
      guard part.samples.count + count <= MovieFragment.mostSamples else {
        throw .tooLarge("\(count) samples in a fragment")
      }
      var place = previous ?? base
      if flags & 0x001 != 0 { place = base + Int(Int32(bitPattern: try content.uint32())) }
      let firstFlags = flags & 0x004 != 0 ? try content.uint32() : nil
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
      return place
    }
  }
}
